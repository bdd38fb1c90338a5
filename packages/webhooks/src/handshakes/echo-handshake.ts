import type { Handshake, HandshakeAnswer, HandshakeRequest } from '../provider/provider.ts'
import { matchesAny } from '../schemes/credentials.ts'
import { jsonField } from '../schemes/body-fields.ts'
import { isSecret } from '../schemes/keys.ts'
import { isPlain } from './echo.ts'
import { matchesPattern, maximumChallengeBytes, type RequestPattern } from './match.ts'

export interface EchoHandshakeOptions {
  /** The source of the challenge: a query parameter, a header, or a member of the JSON body. */
  readonly from: { readonly query: string } | { readonly header: string } | { readonly json: string }
  /** The answer: a member of a JSON object, a header, or both. @default the challenge as text */
  readonly as?: { readonly json?: string; readonly header?: string }
  /** @default GET for a challenge in the query, otherwise POST */
  readonly method?: 'GET' | 'POST'
  /** The values that distinguish a challenge from a delivery. */
  readonly when?: RequestPattern
  /** Whether the service signs the challenge like a delivery. @default false */
  readonly signed?: boolean
  /** Whether the challenge is the secret of the deliveries. @default false */
  readonly establishesSecret?: boolean
  /**
   * A query parameter with a token that the operator chose, and its values during a rotation. URLs and proxy logs contain the
   * token: do not use the secret of deliveries.
   */
  readonly token?: { readonly query: string; readonly values: string | readonly string[] }
}

/**
 * A handshake that answers with the text of the challenge, as text, JSON or a header.
 *
 * The challenge is 1 to 512 letters, digits and `_.~+/=-`. A body with more than 4096 bytes is a delivery. The handshake
 * compares a token in constant time.
 *
 * @throws TypeError for an empty list of token values, and for a value that is empty or not a string
 *
 * @example
 * ```ts
 * import { echoHandshake } from '@sallyport/webhooks/handshakes'
 *
 * const dropbox = echoHandshake({ from: { query: 'challenge' } })
 * const monday = echoHandshake({ from: { json: 'challenge' }, as: { json: 'challenge' } })
 * const ringCentral = echoHandshake({
 *   from: { header: 'validation-token' },
 *   as: { header: 'validation-token' },
 * })
 * const twitch = echoHandshake({
 *   from: { json: 'challenge' },
 *   when: { headers: { 'twitch-eventsub-message-type': 'webhook_callback_verification' } },
 *   signed: true,
 * })
 * ```
 */
export function echoHandshake(options: EchoHandshakeOptions): Handshake {
  const { from, as, when = {}, signed = false, establishesSecret = false, token } = options
  const method = options.method ?? ('query' in from ? 'GET' : 'POST')
  const tokens = [token?.values ?? []].flat()
  if (token && (tokens.length === 0 || !tokens.every(isSecret)))
    throw new TypeError('The values of a token must be text that is not empty')

  return {
    methods: [method],
    establishesSecret,
    async answer(request) {
      if (request.body.length > maximumChallengeBytes) return undefined
      const challenge = readChallenge(request, from)
      if (!isPlain(challenge) || !matchesPattern(request, when)) return undefined
      if (token && !(await matchesAny(request.query.get(token.query) ?? '', tokens))) return undefined
      if (signed && !(await request.verify())) return undefined
      return { ...writeChallenge(challenge, as), ...(establishesSecret && { establishes: challenge }) }
    },
  }
}

function readChallenge(
  { query, headers, body }: HandshakeRequest,
  from: EchoHandshakeOptions['from'],
): string | null | undefined {
  if ('query' in from) return query.get(from.query)
  return 'header' in from ? headers.get(from.header) : jsonField(body, from.json)
}

function writeChallenge(challenge: string, as: EchoHandshakeOptions['as']): HandshakeAnswer {
  const headers = as?.header === undefined ? {} : { headers: { [as.header]: challenge } }
  if (as?.json !== undefined) {
    const body = JSON.stringify({ [as.json]: challenge })
    return { contentType: 'application/json', body, ...headers }
  }
  return { contentType: 'text/plain', body: as ? '' : challenge, ...headers }
}
