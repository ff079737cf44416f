//! Opening an index together with the model that its vectors were made by.

use crate::context::Context;
use crate::error::{CliError, Result};
use crate::{linking, mesh, model};
use medsift::encoder::Encoder;
use medsift::enrich::answer::{Answerer, VerdictReader};
use medsift::enrich::{
    AnswerReader, Enricher, RelationFinder, SpanHead, Tagger, TextClassifier, TextHead, TokenHead,
};
use medsift::index::{self, Index};
use medsift::mesh::MeshTable;
use medsift::searcher::Extras;
use medsift::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a command uses beside the index, so that nothing is loaded in vain.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Uses {
    /// MeSH, by which queries explode headings and map words.
    pub(crate) mesh: bool,
    /// Entities of hits.
    pub(crate) entities: bool,
    /// Answers to questions.
    pub(crate) answers: bool,
}

impl Uses {
    /// Everything: whoever serves does not know what will be asked.
    pub(crate) const ALL: Self = Self {
        mesh: true,
        entities: true,
        answers: true,
    };
}

/// Opens an index for searching by words alone, or for looking at it: no
/// model is loaded.
pub(crate) fn without_model(context: &Context, dir: &Path, uses: Uses) -> Result<Index> {
    let extras = Extras {
        mesh: mesh_table(uses)?,
        ..Extras::default()
    };
    let settings = context.settings.search.clone();
    Ok(Index::open_with(dir, None, extras, settings)?)
}

/// Opens an index for every mode, with the model that the index names or the
/// one that the user names instead.
pub(crate) fn with_model(
    context: &Context,
    dir: &Path,
    model: Option<&str>,
    uses: Uses,
) -> Result<Index> {
    // Said before a model is loaded, which takes its time.
    index::require(dir)?;
    let location = match model {
        Some(model) => model.to_owned(),
        None => recorded(dir)?,
    };
    with_loaded(context, dir, &LoadedModel::load(context, &location)?, uses)
}

/// Opens an index with the model that it names, or for its words alone where
/// that model cannot be had; then the error says why.
///
/// A model that is there and does not fit or is damaged is no reason to do
/// without: that error ends the command.
pub(crate) fn with_model_or_words(
    context: &Context,
    dir: &Path,
    uses: Uses,
) -> Result<(Index, Option<CliError>)> {
    index::require(dir)?;
    match recorded(dir).and_then(|location| model::resolve(&location, context.quiet)) {
        Ok(resolved) => {
            let model = LoadedModel::open(context, resolved)?;
            Ok((with_loaded(context, dir, &model, uses)?, None))
        }
        // The index itself may be what cannot be read.
        Err(missing) => Ok((without_model(context, dir, uses)?, Some(missing))),
    }
}

/// Opens an index to be served, by a model that the user names or the index's
/// own. Where the latter cannot be had, words can still be searched, and every
/// answer says that only they were.
pub(crate) fn to_serve(context: &Context, dir: &Path, model: Option<&str>) -> Result<Index> {
    if model.is_some() {
        return with_model(context, dir, model, Uses::ALL);
    }
    let (index, missing) = with_model_or_words(context, dir, Uses::ALL)?;
    if let Some(why) = missing.and_then(|error| error.report()) {
        tracing::warn!(%why, "serving keyword searches only");
        context.note(&format!("warning: only words can be searched: {why}"));
    }
    Ok(index)
}

/// The `--model` value that stands for the index's own model.
pub(crate) fn recorded(dir: &Path) -> Result<String> {
    let recorded = Index::recorded_model(dir)?;
    let path = Path::new(&recorded.location);
    if path.is_absolute() && !path.is_dir() {
        return Err(Error::new(
            ErrorKind::NotFound,
            format!(
                "the index {} was made with the model {}, which is no longer at {}: say where \
                 it is with --model DIR, or search words alone with --mode keyword",
                dir.display(),
                recorded.fingerprint,
                path.display()
            ),
        )
        .into());
    }
    Ok(recorded.location)
}

/// Opens an index for every mode with a model that is loaded already.
pub(crate) fn with_loaded(
    context: &Context,
    dir: &Path,
    model: &LoadedModel,
    uses: Uses,
) -> Result<Index> {
    for note in context.settings.search.notes() {
        context.note(&format!("note: {note}"));
    }
    let encoder = Some(Arc::clone(&model.encoder));
    let extras = Extras {
        mesh: mesh_table(uses)?,
        enricher: if uses.entities {
            enricher(context, model)?
        } else {
            None
        },
        answerer: if uses.answers {
            answerer(context, model)?
        } else {
            None
        },
    };
    let settings = context.settings.search.clone();
    Ok(Index::open_with(dir, encoder, extras, settings)?)
}

fn mesh_table(uses: Uses) -> Result<Option<Arc<MeshTable>>> {
    let table = uses.mesh.then(mesh::table).transpose()?;
    Ok(table.map(|(table, _)| table))
}

/// What finds entities, and relations where the model has heads for them; none
/// where it has no head for entities.
pub(crate) fn enricher(context: &Context, model: &LoadedModel) -> Result<Option<Arc<Enricher>>> {
    let settings = &context.settings.search.enrich;
    if !TokenHead::names(&model.dir)?.contains(&settings.head) {
        return Ok(None);
    }
    let encoder = Arc::clone(&model.encoder);
    let tagger = Tagger::open(encoder, &model.dir, Some(&settings.head))?;
    let linker = linking::linker(context, model)?;
    let mut finders = Vec::new();
    let heads = TextHead::names(&model.dir)?;
    for name in settings
        .relations
        .iter()
        .filter(|name| heads.contains(name))
    {
        let encoder = Arc::clone(&model.encoder);
        let classifier = TextClassifier::open(encoder, &model.dir, Some(name))?;
        finders.push(RelationFinder::new(classifier)?);
    }
    let enricher = Enricher::new(tagger, settings)
        .with_linker(Arc::new(linker))
        .with_relations(finders);
    Ok(Some(Arc::new(enricher)))
}

/// What answers questions, where the model has a head for that.
fn answerer(context: &Context, model: &LoadedModel) -> Result<Option<Arc<Answerer>>> {
    let settings = &context.settings.search.answer;
    if !SpanHead::names(&model.dir)?.contains(&settings.head) {
        return Ok(None);
    }
    let encoder = Arc::clone(&model.encoder);
    let reader = AnswerReader::open(encoder, &model.dir, Some(&settings.head))?;
    let verdict = match TextHead::names(&model.dir)?.contains(&settings.verdict_head) {
        true => {
            let encoder = Arc::clone(&model.encoder);
            let name = Some(settings.verdict_head.as_str());
            Some(VerdictReader::open(encoder, &model.dir, name)?)
        }
        false => None,
    };
    Ok(Some(Arc::new(Answerer::new(reader, verdict, settings))))
}

/// A model in memory, and where it was found.
pub(crate) struct LoadedModel {
    /// Embeds queries and passages.
    pub(crate) encoder: Arc<Encoder>,
    /// What an index records to find the model again.
    pub(crate) location: String,
    /// Its directory.
    pub(crate) dir: PathBuf,
}

impl LoadedModel {
    /// Finds, fetches where needed, and loads what a `--model` value names.
    pub(crate) fn load(context: &Context, value: &str) -> Result<Self> {
        Self::open(context, model::resolve(value, context.quiet)?)
    }

    fn open(context: &Context, resolved: model::Resolved) -> Result<Self> {
        let encoder = Encoder::open(&resolved.dir, context.settings.encoder.options())?;
        Ok(Self {
            encoder: Arc::new(encoder),
            location: resolved.location,
            dir: resolved.dir,
        })
    }
}
