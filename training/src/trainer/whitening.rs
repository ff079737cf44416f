//! The layer behind the pooling that `[model.whitening]` asks for.

use super::run::Run;
use crate::data::corpus::{Document, Documents};
use crate::data::{Exclusions, Purpose};
use crate::files::checksum;
use crate::record::DataRecord;
use crate::whitening::{Moments, WhiteningConfig};
use medsift::encoder::parts::Dense;
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::{Error, Result};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What the record calls it.
pub(super) const STAGE: &str = "whitening";

/// Texts between two looks at whether the run is to stop.
const CHUNK: usize = 256;

/// Characters for a token, more than there ever are in running text: what
/// is behind so many is not read.
const CHARACTERS: usize = 8;

/// Fits the layer for the model in `model`; nothing when the run is stopped
/// meanwhile.
pub(super) fn fit(
    run: &mut Run<'_>,
    settings: &WhiteningConfig,
    model: &Path,
) -> Result<Option<Dense>> {
    let began = Instant::now();
    let options = EncoderOptions {
        threads: Some(rayon::current_num_threads()),
        max_tokens: Some(run.start.max_tokens),
        pooling: Some(run.start.pooling),
        normalise: Some(run.start.normalise),
        query_prompt: Some(run.start.query_prompt.clone()),
        passage_prompt: Some(run.start.passage_prompt.clone()),
    };
    let encoder = Encoder::open(model, options)?;
    let texts = draw(run, settings, encoder.max_tokens())?;
    let words = format!("whitening: reads {} texts", texts.len());
    run.progress.note(&words);
    let mut moments = Moments::new(encoder.dimension());
    for chunk in texts.chunks(CHUNK) {
        if run.progress.stopped() {
            return Ok(None);
        }
        let vectors = encoder.encode_passages(chunk)?;
        vectors.rows().for_each(|vector| moments.add(vector));
        run.progress.taught(STAGE, moments.count(), texts.len());
    }
    let layer = moments.layer(settings.power, settings.shrinkage)?;
    run.record.seconds += began.elapsed().as_secs_f64();
    Ok(Some(layer))
}

/// Draws the texts, each as likely as any other, and records their files.
fn draw(run: &mut Run<'_>, settings: &WhiteningConfig, max_tokens: usize) -> Result<Vec<String>> {
    let mut random = ChaCha8Rng::seed_from_u64(run.config.seed);
    let mut drawn: Vec<String> = Vec::new();
    let mut seen = 0;
    run.record.data.retain(|file| file.stage != STAGE);
    for corpus in settings.corpora()? {
        let exclusions = Arc::new(Exclusions::read(&corpus.exclude)?);
        for path in Documents::files(&corpus.files, Purpose::Training)? {
            let name = path.display().to_string();
            let documents = Documents::open_for(
                std::slice::from_ref(&name),
                Arc::clone(&exclusions),
                Purpose::Training,
                run.articles.clone(),
            )?;
            let before = seen;
            for document in documents {
                let document = document?;
                seen += 1;
                if drawn.len() < settings.texts {
                    drawn.push(beginning(&document, max_tokens));
                } else {
                    let place = random.random_range(0..seen);
                    if let Some(text) = drawn.get_mut(place) {
                        *text = beginning(&document, max_tokens);
                    }
                }
            }
            let (sha256, bytes) = checksum(&path)?;
            run.record.data.push(DataRecord {
                stage: STAGE.to_owned(),
                path: name,
                sha256,
                bytes,
                examples: (seen - before) as u64,
                skipped: 0,
                terms: None,
            });
        }
    }
    if drawn.is_empty() {
        return Err(Error::invalid(
            "model.whitening.data",
            "the files of `model.whitening.data` give no text",
        ));
    }
    Ok(drawn)
}

/// As much of a document as the encoder reads.
fn beginning(document: &Document, max_tokens: usize) -> String {
    let mut text = document.title.clone();
    for sentence in &document.sentences {
        if text.len() > max_tokens * CHARACTERS {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sentence);
    }
    text
}
