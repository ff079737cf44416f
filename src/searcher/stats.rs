use super::Searcher;
use crate::enrich::Recipe;
use crate::error::Result;
use crate::index::{CountedFile, DiskUse, EnrichedArticles, IndexStats, Layout, folder_bytes};

impl Searcher {
    /// What the index holds and what it costs.
    pub fn stats(&self) -> Result<IndexStats> {
        let layout = Layout::new(&self.root);
        let segments = &self.commit.segments;
        let file_bytes = |graph: bool| -> u64 {
            segments
                .iter()
                .flat_map(|segment| &segment.meta.files)
                .filter(|file| file.is_graph() == graph)
                .map(|file| file.bytes)
                .sum()
        };
        let disk = DiskUse {
            keyword: folder_bytes(&layout.keyword())?,
            vectors: file_bytes(false),
            graphs: file_bytes(true),
            provenance: folder_bytes(&layout.provenance())?,
            quarantine: folder_bytes(&layout.quarantine())?,
            total: folder_bytes(layout.root())?,
        };
        Ok(IndexStats {
            articles: self.commit.articles,
            passages: self.commit.live_passages,
            deleted_passages: segments.iter().map(|segment| segment.dead_passages).sum(),
            quarantined: self.commit.ledger().quarantined,
            tombstones: entries(self.commit.tombstones.as_ref()),
            fallbacks: entries(self.commit.fallbacks.as_ref()),
            generation: self.commit.generation,
            committed_at: self.commit.committed_at.clone(),
            format_version: self.commit.format_version,
            model: self.commit.model.clone(),
            vector_segments: segments.len(),
            graph_segments: segments.iter().filter(|segment| segment.meta.graph).count(),
            mapped_bytes: disk.vectors + disk.graphs,
            disk,
            last_update_file: self.commit.last_update_file().map(str::to_owned),
            sources: self.commit.sources.clone(),
            enriched: self.enriched_by()?,
        })
    }
}

impl Searcher {
    /// Articles with stored findings, by what found them.
    fn enriched_by(&self) -> Result<Vec<EnrichedArticles>> {
        let counts = self.enriched()?;
        let of = |recipe: &Recipe| counts.get(&recipe.digest()).copied();
        let recipes = self.commit.recipes.iter();
        Ok(recipes
            .filter_map(|recipe| {
                Some(EnrichedArticles {
                    recipe: recipe.clone(),
                    articles: of(recipe)?,
                })
            })
            .collect())
    }
}

fn entries(file: Option<&CountedFile>) -> u64 {
    file.map_or(0, |file| file.entries)
}
