//! Models in lists and one by one.

use super::sheet::Sheet;
use crate::commands::model::Listed;
use crate::model::inspect::Inspection;
use crate::output::Style;
use indicatif::HumanBytes;
use std::path::Path;

/// Wide enough for paths, which are better not broken.
const WIDTH: usize = 120;

/// The known models.
pub(crate) fn list(models: &[Listed], cache: &Path, style: Style) -> String {
    let mut sheet = Sheet::new(WIDTH, style);
    for model in models {
        sheet.heading(model.name);
        sheet.paragraph(model.description);
        sheet.field("vectors", format!("{} numbers", model.dimension));
        sheet.field("reads", format!("{} word pieces", model.max_tokens));
        sheet.field("licence", model.licence);
        sheet.field("size", HumanBytes(model.bytes));
        sheet.optional("hub", model.hub);
        sheet.optional("package", model.package);
        match &model.directory {
            _ if model.shipped => sheet.field("here", "part of this program"),
            Some(dir) => sheet.field("here", dir.display()),
            None => sheet.field("here", format!("no; medsift model get {}", model.name)),
        }
    }
    let mut text = sheet.finish();
    text.push_str(&format!("\nmodels are kept in {}\n", cache.display()));
    text
}

/// One model directory.
pub(crate) fn inspection(model: &Inspection, style: Style) -> String {
    let mut sheet = Sheet::new(WIDTH, style);
    let print = &model.fingerprint;
    sheet.heading(&print.name);
    sheet.field("directory", model.directory.display());
    sheet.optional("architecture", model.architecture.as_ref());
    sheet.optional("layers", model.layers);
    sheet.optional("heads", model.heads);
    sheet.optional("hidden size", model.hidden_size);
    sheet.optional("vocabulary", model.vocabulary);
    sheet.field("dimension", print.dimension);
    let normalised = if print.normalise { ", normalised" } else { "" };
    sheet.field("pooling", format!("{}{normalised}", print.pooling));
    sheet.field("max tokens", print.max_tokens);
    for (label, prompt) in [
        ("query prompt", &print.query_prompt),
        ("passage prompt", &print.passage_prompt),
    ] {
        if prompt.is_empty() {
            sheet.field(label, "none");
        } else {
            sheet.field(label, format!("{prompt:?}"));
        }
    }
    sheet.field("fingerprint", &print.sha256);
    sheet.heading("Files");
    for file in &model.files {
        sheet.paragraph(&format!(
            "{:>12}  {}",
            HumanBytes(file.bytes).to_string(),
            file.path
        ));
    }
    sheet.finish()
}
