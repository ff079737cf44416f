use super::request;
use crate::error::ApiError;
use crate::params::{self, OwnNames, Parameters};
use crate::state::Shared;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::Method;

/// What a client asks: in the address, or posted as JSON.
pub(crate) struct Asked {
    pub(crate) parameters: Parameters,
    names: OwnNames,
}

impl FromRequest<Shared> for Asked {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &Shared) -> Result<Self, ApiError> {
        let uri = request.uri().clone();
        if request.method() != Method::POST {
            return Ok(Self {
                parameters: params::of_address(&uri),
                names: OwnNames::Flat,
            });
        }
        let headers = request.headers().clone();
        let body = Bytes::from_request(request, state).await;
        Ok(Self {
            parameters: request::posted(state, &uri, &headers, body)?,
            names: OwnNames::Paths,
        })
    }
}

impl Asked {
    /// The error with its field as the client calls it.
    pub(crate) fn in_its_names(&self, error: ApiError) -> ApiError {
        params::as_given(&self.parameters, self.names, error)
    }
}
