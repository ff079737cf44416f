//! A batch as an objective sees it: its shapes and labels, checked.

use super::Labels;
use candle_core::{Device, Result, Tensor, bail};

/// The embeddings and labels of a batch, for one kind of objective.
pub(super) struct Batch<'a> {
    kind: &'static str,
    /// A `rows × dimension` tensor for each column.
    pub(super) columns: &'a [Tensor],
    labels: &'a Labels,
    /// Examples.
    pub(super) rows: usize,
}

impl<'a> Batch<'a> {
    /// Checks that there are as many columns as the objective takes, of one
    /// shape, with at least one example.
    pub(super) fn new(
        kind: &'static str,
        expected: usize,
        columns: &'a [Tensor],
        labels: &'a Labels,
    ) -> Result<Self> {
        let Some(first) = columns.first().filter(|_| columns.len() == expected) else {
            bail!(
                "the objective {kind:?} takes {expected} text(s) an example, the batch has {}",
                columns.len()
            );
        };
        let (rows, dimension) = first.dims2()?;
        if rows == 0 {
            bail!("the batch for the objective {kind:?} is empty");
        }
        if let Some(other) = columns.iter().find(|other| other.dims() != first.dims()) {
            bail!(
                "the columns of a batch differ: {rows} × {dimension} and {:?} (objective {kind:?})",
                other.dims()
            );
        }
        Ok(Self {
            kind,
            columns,
            labels,
            rows,
        })
    }

    /// Where the embeddings are.
    pub(super) fn device(&self) -> &'a Device {
        self.columns[0].device()
    }

    /// A class for each example, all below `count` where that is given.
    pub(super) fn classes(&self, count: Option<u32>) -> Result<&'a [u32]> {
        let Labels::Classes(classes) = self.labels else {
            return self.refuse("a class for each example");
        };
        self.count(classes.len())?;
        if let Some(count) = count
            && let Some(class) = classes.iter().find(|&&class| class >= count)
        {
            bail!(
                "class {class} is out of range: the objective {:?} has {count} classes, from 0",
                self.kind
            );
        }
        Ok(classes)
    }

    /// A finite number for each example.
    pub(super) fn scores(&self) -> Result<&'a [f32]> {
        let Labels::Scores(scores) = self.labels else {
            return self.refuse("a score for each example");
        };
        self.count(scores.len())?;
        self.finite(scores)?;
        Ok(scores)
    }

    /// Whether each example has one number.
    pub(super) fn has_scores(&self) -> bool {
        matches!(self.labels, Labels::Scores(_))
    }

    /// Finite numbers for each example, one for each column behind the first:
    /// `rows × columns - 1`.
    pub(super) fn lists(&self) -> Result<Tensor> {
        let wanted = (self.rows, self.columns.len() - 1);
        let Labels::Lists(lists) = self.labels else {
            return self.refuse("a list of scores for each example");
        };
        if lists.dims() != [wanted.0, wanted.1] {
            bail!(
                "the objective {:?} needs {} × {} scores, one for each text behind the first; \
                 the batch has {:?}",
                self.kind,
                wanted.0,
                wanted.1,
                lists.dims()
            );
        }
        self.finite(
            &lists
                .to_dtype(candle_core::DType::F32)?
                .flatten_all()?
                .to_vec1()?,
        )?;
        self.like_embeddings(lists)
    }

    /// A teacher's embeddings for each column: `rows × dimension`, where the
    /// dimension is the teacher's own.
    pub(super) fn teacher(&self) -> Result<Vec<Tensor>> {
        let Labels::Teacher(teacher) = self.labels else {
            return self.refuse("a teacher's embeddings");
        };
        if teacher.len() != self.columns.len() {
            bail!(
                "the teacher embedded {} column(s), the batch has {} (objective {:?})",
                teacher.len(),
                self.columns.len(),
                self.kind
            );
        }
        for column in teacher {
            self.count(column.dims2()?.0)?;
        }
        teacher
            .iter()
            .map(|column| self.like_embeddings(column))
            .collect()
    }

    /// Numbers as a tensor beside the embeddings.
    pub(super) fn vector(&self, numbers: &[f32]) -> Result<Tensor> {
        self.like_embeddings(&Tensor::from_slice(numbers, numbers.len(), &Device::Cpu)?)
    }

    fn like_embeddings(&self, tensor: &Tensor) -> Result<Tensor> {
        tensor
            .detach()
            .to_device(self.device())?
            .to_dtype(self.columns[0].dtype())
    }

    fn count(&self, labels: usize) -> Result<()> {
        if labels != self.rows {
            bail!(
                "{labels} label(s) for {} example(s) (objective {:?})",
                self.rows,
                self.kind
            );
        }
        Ok(())
    }

    fn finite(&self, numbers: &[f32]) -> Result<()> {
        if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
            bail!(
                "label {place} of the batch is {}, not a number to learn from (objective {:?})",
                numbers[place],
                self.kind
            );
        }
        Ok(())
    }

    fn refuse<T>(&self, wanted: &str) -> Result<T> {
        let found = match self.labels {
            Labels::None => "no labels",
            Labels::Classes(_) => "classes",
            Labels::Scores(_) => "scores",
            Labels::Lists(_) => "lists of scores",
            Labels::Teacher(_) => "a teacher's embeddings",
        };
        bail!(
            "the objective {:?} needs {wanted}; the batch has {found}",
            self.kind
        )
    }
}
