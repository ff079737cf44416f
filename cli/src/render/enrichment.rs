//! What became of the articles of an index that was enriched.

use indicatif::HumanCount;
use medsift_indexer::enrichment::EnrichReport;

/// The count of every article, and what was found.
pub(crate) fn report(report: &EnrichReport) -> String {
    let EnrichReport {
        articles,
        enriched,
        already,
        failed,
        left,
        entities,
        linked,
        relations,
        ..
    } = report;
    let mut text = format!(
        "{} articles: {} read now, {} read before, {} left\n",
        HumanCount(*articles),
        HumanCount(*enriched),
        HumanCount(*already),
        HumanCount(*left)
    );
    if *failed > 0 {
        text.push_str(&format!(
            "{} could not be read: `medsift -v enrich` says why, `medsift verify` whether the \
             index is sound\n",
            HumanCount(*failed)
        ));
    }
    if *enriched > 0 {
        text.push_str(&format!(
            "found {} entities, {} of them with a concept, and {} relations, in {:.1} s\n",
            HumanCount(*entities),
            HumanCount(*linked),
            HumanCount(*relations),
            report.seconds
        ));
    }
    if let Some(recipe) = &report.recipe {
        text.push_str(&format!("by {}\n", recipe.in_words()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_article_is_counted() {
        let done = EnrichReport {
            articles: 1500,
            enriched: 1000,
            already: 200,
            left: 300,
            entities: 20_000,
            linked: 12_345,
            relations: 17,
            seconds: 2.25,
            ..EnrichReport::default()
        };
        assert!(done.balances());
        assert_eq!(
            report(&done),
            "1,500 articles: 1,000 read now, 200 read before, 300 left\n\
             found 20,000 entities, 12,345 of them with a concept, and 17 relations, in 2.2 s\n"
        );
    }
}
