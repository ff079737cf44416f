use medsift::columnar::GivenPassages;
use medsift::encoder::Encoder;
use medsift::index::{IndexWriter, PassageMode, StoredArticle};
use medsift::passage::{split_passages, whole_article};
use medsift::{ArticleId, Passage, Result};
use std::collections::HashSet;

/// Articles that are embedded together.
#[derive(Default)]
pub(super) struct Batch {
    articles: Vec<(StoredArticle, Option<GivenPassages>)>,
    ids: HashSet<ArticleId>,
}

impl Batch {
    /// Whether the batch holds a state of the article already: what comes
    /// next for it can only be judged once that is written.
    pub(super) fn holds(&self, id: &ArticleId) -> bool {
        self.ids.contains(id)
    }

    /// Takes an article, with its vectors where it brings them.
    pub(super) fn push(&mut self, article: StoredArticle, given: Option<GivenPassages>) {
        self.ids.insert(article.article.id.clone());
        self.articles.push((article, given));
    }

    /// Embeds what has no vectors yet and writes what is there, in order.
    pub(super) fn write(
        &mut self,
        encoder: &Encoder,
        mode: PassageMode,
        writer: &mut IndexWriter,
    ) -> Result<()> {
        self.ids.clear();
        let articles = std::mem::take(&mut self.articles);
        let passages: Vec<Vec<Passage>> = articles
            .iter()
            .map(|(stored, given)| match (given, mode) {
                (Some(_), _) => Ok(Vec::new()),
                (None, PassageMode::On) => split_passages(&stored.article, encoder),
                (None, PassageMode::Off) => Ok(whole_article(&stored.article)),
            })
            .collect::<Result<_>>()?;
        let texts: Vec<&str> = passages
            .iter()
            .flatten()
            .map(|passage| passage.text.as_str())
            .collect();
        let embeddings = encoder.encode_passages(&texts)?;
        let mut rest = embeddings.values();
        for ((stored, given), passages) in articles.into_iter().zip(passages) {
            if let Some(given) = given {
                writer.put_unit(stored, &given.passages, &given.vectors)?;
                continue;
            }
            let (vectors, others) = rest.split_at(passages.len() * encoder.dimension());
            rest = others;
            writer.put(stored, &passages, vectors)?;
        }
        Ok(())
    }
}
