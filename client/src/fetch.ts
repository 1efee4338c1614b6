/** The part of `Response` that the client uses. */
export interface Answer extends Pick<Response, 'ok' | 'status' | 'type' | 'body' | 'text'> {
  readonly headers: Pick<Headers, 'get'>;
}

/** The part of `fetch` that the client uses. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Answer>;
