import { codedResponse, isSallyportError } from '@sallyport/errors'
import type { HandshakeAnswer } from '../provider/provider.ts'
import type { GatewayResponse, Observation, Outcome } from './gateway-contract.ts'

/** The part of an observation that the pipeline collects. */
export type ObservationDraft = Mutable<
  Pick<Observation, 'outcome' | 'code' | 'reason' | 'error' | 'deliveryId' | 'kind'>
>
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const jsonType = 'application/json; charset=utf-8'

/** Creates the response to a verified delivery. */
export function respond(
  draft: ObservationDraft,
  outcome: Outcome,
  events: readonly unknown[] = [],
): GatewayResponse {
  draft.outcome = outcome
  const body = JSON.stringify({ data: { status: outcome, events } })
  return { status: 200, headers: { 'content-type': jsonType }, body }
}

/** Creates the response to a handshake. */
export function respondToChallenge(
  draft: ObservationDraft,
  { contentType, body }: HandshakeAnswer,
): GatewayResponse {
  draft.outcome = 'handshake'
  const headers = {
    'content-type': `${contentType}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  }
  return { status: 200, headers, body }
}

/** Creates the error envelope. */
export function respondWithError(draft: ObservationDraft, error: unknown): GatewayResponse {
  const { status, headers, body } = codedResponse(error)
  draft.code = body.error.code
  if (status >= 500) draft.error = isSallyportError(error) ? (error.cause ?? error) : error
  return { status, headers: { ...headers, 'content-type': jsonType }, body: JSON.stringify(body) }
}
