import { isListQuery } from '../check-route.ts'
import type { AnyRoute } from '../route.ts'
import type { OpenApiSecurityScheme } from './document-model.ts'

/** Creates the introduction of a document from what its routes declare. */
export function createIntroduction(
  routes: readonly AnyRoute[],
  schemes: readonly OpenApiSecurityScheme[],
): string {
  const sections = [
    ...(routes.some(({ access }) => access !== 'public') ? [describeAuthentication(schemes)] : []),
    ...(routes.some(({ query }) => isListQuery(query)) ? [describePages(routes)] : []),
    ...(routes.some(({ etag }) => etag === true) ? [conditional] : []),
    describeRetries(routes),
    ...(routes.some(({ rateLimit }) => rateLimit !== false) ? [limits] : []),
    errors,
  ]
  return sections.join('\n\n')
}

function describeAuthentication(schemes: readonly OpenApiSecurityScheme[]): string {
  const [only, ...others] = schemes.map(describeScheme)
  const ways =
    others.length === 0 ? `${only} ` : `Do one of these:\n\n- ${[only, ...others].join('\n- ')}\n\n`
  return `## Authentication\n\n${ways}A request without valid credentials is answered with 401.`
}

function describeScheme(scheme: OpenApiSecurityScheme): string {
  const { type, description } = scheme
  const source = typeof description === 'string' ? ` ${description}` : ''
  return getUsage(type, scheme) + source
}

function getUsage(type: string, { scheme, in: location, name }: Readonly<Record<string, unknown>>): string {
  if (type === 'http' && scheme === 'bearer')
    return 'Send the header `Authorization: Bearer <token>` with a request that is not public.'
  if (type === 'apiKey' && location === 'cookie' && typeof name === 'string')
    return `Send the cookie \`${name}\` with a request that is not public.`
  return 'Send the credentials of the security scheme with a request that is not public.'
}

function describePages(routes: readonly AnyRoute[]): string {
  const modes = new Set(routes.flatMap(({ query }) => (isListQuery(query) ? [query.pagination] : [])))
  const hasOffset = modes.has('offset') || modes.has('both')
  const hasCursor = modes.has('cursor') || modes.has('both')
  return [
    '## Lists\n',
    ...(hasOffset
      ? [
          '`page` and `limit` select a page by its number. `meta` has the total number of items, for page controls.',
        ]
      : []),
    ...(hasCursor
      ? [
          '`cursor` reads a list to its end: send an empty `cursor` first, then `nextCursor` of each page while `hasMore` is true. Items that change in between are neither skipped nor repeated.',
        ]
      : []),
    'The header `Link` has the addresses of the other pages.',
  ].join('\n')
}

const conditional = `## Caching and concurrent changes

A response with \`ETag\` can be cached. Send the ETag in \`If-None-Match\` to get 304 without a body while it is current. Send
it in \`If-Match\` with a change to get 412 instead of overwriting the change of another client.`

function describeRetries(routes: readonly AnyRoute[]): string {
  const key = routes.some(({ idempotencyKey }) => idempotencyKey === true)
    ? ' Send a unique `Idempotency-Key` with a POST that has this parameter; a repeated request with the same key then gets the response of the first.'
    : ' Repeat a POST only if the response shows that it changed nothing.'
  return `## Retries

Repeat a request after a network error, 408, 429 or a status from 500, and wait for the seconds in \`Retry-After\` if present.
GET, PUT, PATCH with \`If-Match\` and DELETE are safe to repeat.${key}`
}

const limits = `## Rate limits

\`RateLimit-Policy\` has the quotas of a client, and \`RateLimit\` has the remaining requests and the seconds until the quota is
full again. A request over the limit is answered with 429 and \`Retry-After\`.`

const errors = `## Errors

An error has the body \`{ "error": { "code", "message", "details"? } }\`, or \`application/problem+json\` if \`Accept\` prefers it.
Branch on \`code\`, which is stable. Each of \`details\` names an invalid \`field\` and the part of the request that has it.
Quote the header \`X-Request-Id\` in questions about a request.`
