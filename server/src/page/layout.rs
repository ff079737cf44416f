use super::assets;
use super::html::Html;

/// What goes around the content of every page.
pub(crate) struct Layout<'a> {
    /// Title of the window, before the product's name.
    pub(crate) title: &'a str,
    /// Style of the page: `home`, `results`, `reading` or `trouble`.
    pub(crate) class: &'static str,
    /// Where the link for people without a mouse leads to, in words.
    pub(crate) skip: &'static str,
}

impl Layout<'_> {
    /// A whole page: `header` beside the product's name, then `main`.
    pub(crate) fn page(
        &self,
        header: impl FnOnce(&mut Html),
        main: impl FnOnce(&mut Html),
    ) -> String {
        let mut html = Html::default();
        html.raw("<!doctype html>");
        html.element("html", &[("lang", "en")], |html| {
            html.element("head", &[], |html| self.head(html));
            html.element("body", &[("class", self.class)], |html| {
                html.leaf("a", &[("class", "skip"), ("href", "#main")], self.skip);
                html.element("header", &[("class", "top")], |html| {
                    wordmark(html);
                    header(html);
                });
                html.element("main", &[("id", "main"), ("tabindex", "-1")], main);
                html.element("footer", &[("class", "bottom")], footer);
            });
        });
        html.finish()
    }

    fn head(&self, html: &mut Html) {
        html.raw("<meta charset=\"utf-8\">")
            .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
            .raw("<meta name=\"color-scheme\" content=\"light dark\">")
            .raw("<meta name=\"robots\" content=\"noindex\">");
        let title = match self.title {
            "" => "medsift".to_owned(),
            title => format!("{title} – medsift"),
        };
        html.leaf("title", &[], title);
        html.open(
            "link",
            &[("rel", "icon"), ("href", &assets::icon_address())],
        );
        html.open(
            "link",
            &[("rel", "stylesheet"), ("href", &assets::style_address())],
        );
        let script = assets::script_address();
        html.element("script", &[("src", &script), ("defer", "")], |_| ());
    }
}

fn wordmark(html: &mut Html) {
    html.element("a", &[("class", "wordmark"), ("href", "/")], |html| {
        html.raw(
            "<svg aria-hidden=\"true\" viewBox=\"0 0 32 32\"><rect width=\"32\" height=\"32\" rx=\"8\"/>\
             <path d=\"M8 10h16M11 16h10M14 22h4\"/></svg>",
        )
        .raw("<span>medsift</span>");
    });
}

fn footer(html: &mut Html) {
    html.raw("<p>medsift ")
        .text(env!("CARGO_PKG_VERSION"))
        .raw(" · everything stays on this machine</p>")
        .raw(
            "<nav aria-label=\"For programs\"><a href=\"/v1/stats\">Index statistics (JSON)</a> \
             <a href=\"/health\">Health</a> <a href=\"/api\">HTTP API</a></nav>",
        );
}
