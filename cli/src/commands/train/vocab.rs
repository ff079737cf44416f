//! `medsift train vocab`.

use crate::articles::Articles;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::progress;
use clap::Args;
use indicatif::ProgressBar;
use medsift::Error;
use medsift_training::data::Exclusions;
use medsift_training::data::corpus::{Document, Documents, documents_of};
use medsift_training::vocabulary::{VocabularyOptions, train_vocabulary, write_tokenizer};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the tokenizer says is the longest text; training cuts where its
/// configuration says.
const MAX_TOKENS: usize = 512;

/// Arguments of `medsift train vocab`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift train vocab 'pubmed25n00*.xml.gz' --size 16000 --output runs/vocabulary
  medsift train vocab abstracts.jsonl notes.txt --size 8000 --output runs/vocabulary --cased

JSON lines (.jsonl with title and text) and plain text (.txt, a blank line
between documents) are read as they are, everything else as `medsift index`
reads it. The folder is what `base.vocabulary` of a training takes.")]
pub(super) struct VocabArgs {
    /// Files, folders or patterns
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Pieces, special tokens included
    #[arg(long, value_name = "N", default_value_t = 30_522)]
    size: usize,
    /// Folder for tokenizer.json, vocab.txt and tokenizer_config.json
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// Keep capitals and accents
    #[arg(long)]
    cased: bool,
    /// Times that two pieces have to stand side by side to become one
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_frequency: u64,
}

/// Trains a vocabulary and prints its folder.
pub(super) fn run(context: &mut Context, args: &VocabArgs) -> Result<Exit> {
    let options = VocabularyOptions {
        size: args.size,
        cased: args.cased,
        min_frequency: args.min_frequency,
    };
    let bar = progress::spinner(context.quiet, "reading");
    let mut texts = Texts::open(&args.inputs, bar.clone())?;
    let trained = train_vocabulary(&mut texts, &options);
    bar.finish_and_clear();
    // What ended the reading comes first: the rest follows from it.
    let tokenizer = match texts.failure.take() {
        Some(error) => return Err(error.into()),
        None => trained?,
    };
    let dir = &args.output;
    std::fs::create_dir_all(dir).map_err(|error| Error::io("create", dir, error))?;
    write_tokenizer(&tokenizer, args.cased, MAX_TOKENS, dir)?;
    texts.tell(context);
    let size = tokenizer.get_vocab_size(true);
    context.note(&format!("{size} pieces of {} documents", texts.count));
    if size < args.size {
        context.note(&format!(
            "the texts give no more than {size} of the {} pieces asked for",
            args.size
        ));
    }
    context.out.text(&format!("{}\n", dir.display()))?;
    Ok(Exit::Ok)
}

/// Documents of one argument.
enum Source {
    Text(Box<Documents>),
    Articles(Box<Articles>),
}

/// The texts of files of all kinds, in the order of the arguments. They end at
/// the first failure, which is kept.
struct Texts {
    sources: Vec<Source>,
    present: usize,
    nothing: Arc<Exclusions>,
    count: u64,
    failure: Option<Error>,
    bar: ProgressBar,
}

impl Texts {
    fn open(inputs: &[PathBuf], bar: ProgressBar) -> Result<Self> {
        let nothing = Arc::new(Exclusions::default());
        let open = |input: &PathBuf| -> Result<Source> {
            if is_text(input) {
                let files = [input.to_string_lossy().into_owned()];
                let documents = Documents::with_exclusions(&files, Arc::clone(&nothing))?;
                return Ok(Source::Text(Box::new(documents)));
            }
            let articles = Articles::open(std::slice::from_ref(input), ProgressBar::hidden())?;
            Ok(Source::Articles(Box::new(articles)))
        };
        Ok(Self {
            sources: inputs.iter().map(open).collect::<Result<_>>()?,
            present: 0,
            nothing,
            count: 0,
            failure: None,
            bar,
        })
    }

    fn document(&mut self) -> Option<medsift::Result<Document>> {
        loop {
            let next = match self.sources.get_mut(self.present)? {
                Source::Text(documents) => documents.next(),
                Source::Articles(articles) => {
                    documents_of(articles.by_ref(), Arc::clone(&self.nothing)).next()
                }
            };
            if next.is_some() {
                return next;
            }
            self.present += 1;
        }
    }

    /// Says what was left out.
    fn tell(&self, context: &Context) {
        for source in &self.sources {
            let Source::Articles(articles) = source else {
                continue;
            };
            articles.counts().tell_faults(context);
        }
    }
}

impl Iterator for Texts {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if self.failure.is_some() {
            return None;
        }
        match self.document()? {
            Ok(document) => {
                self.count += 1;
                if self.count.is_multiple_of(1000) {
                    self.bar
                        .set_message(format!("reading · {} documents", self.count));
                }
                Some(document.text())
            }
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }
}

/// Whether a name is that of JSON lines or plain text.
fn is_text(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.ends_with(".jsonl") || name.ends_with(".txt")
}
