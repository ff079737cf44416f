//! Databanks and grants.

use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::{Databank, Grant};

/// `DataBankList`.
pub(super) fn databanks<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    list: &Element<'a>,
) -> Result<(), Flaw> {
    record.databanks_complete &= list.is_yes("CompleteYN", true)?;
    while let Some(element) = cursor.child()? {
        if element.name() != "DataBank" {
            cursor.leftover(&element)?;
            continue;
        }
        // Old vintages say it of the single databank.
        record.databanks_complete &= element.is_yes("CompleteYN", true)?;
        let mut bank = Databank::default();
        while let Some(element) = cursor.child()? {
            match element.name() {
                "DataBankName" => bank.name = cursor.text()?,
                "AccessionNumberList" => accessions(cursor, &mut bank)?,
                _ => cursor.leftover(&element)?,
            }
        }
        if bank != Databank::default() {
            record.databanks.push(bank);
        }
    }
    Ok(())
}

fn accessions(cursor: &mut Cursor<'_>, bank: &mut Databank) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "AccessionNumber" => bank.accessions.extend(cursor.some_text()?),
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

/// `GrantList`.
pub(super) fn grants<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    list: &Element<'a>,
) -> Result<(), Flaw> {
    record.grants_complete &= list.is_yes("CompleteYN", true)?;
    while let Some(element) = cursor.child()? {
        if element.name() != "Grant" {
            cursor.leftover(&element)?;
            continue;
        }
        let mut grant = Grant::default();
        while let Some(element) = cursor.child()? {
            match element.name() {
                "GrantID" => grant.id = cursor.some_text()?,
                "Acronym" => grant.acronym = cursor.some_text()?,
                "Agency" => grant.agency = cursor.some_text()?,
                "Country" => grant.country = cursor.some_text()?,
                _ => cursor.leftover(&element)?,
            }
        }
        if grant != Grant::default() {
            record.grants.push(grant);
        }
    }
    Ok(())
}
