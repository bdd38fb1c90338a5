import { jsonField, type BuildContent, type SignedContent, type SignedStamp } from '@sallyport/webhooks'
import { eitherTime } from './either-time.ts'

/**
 * A time in seconds, or in milliseconds as in earlier examples of the service. An attempt can repeat the time of the first one,
 * and the attempts continue for days.
 */
export const timestamp: SignedStamp = eitherTime({ toleranceSeconds: 5 * 86_400 })

/** The id of the resource in the URL, as it is and in lower case, the id of the request and the time. */
export const contents: readonly BuildContent[] = [
  (signed) => manifest(signed, (id) => id),
  (signed) => manifest(signed, (id) => id.toLowerCase()),
]

/** A value with another character could move the border between two parts. */
const valuePattern = /^[\w.-]{1,128}$/

/** Omits a part without a value, as the service does. Undefined for a body about another resource than the signed one. */
function manifest(
  { url, headers, timestamp, body }: SignedContent,
  form: (id: string) => string,
): readonly (string | undefined)[] {
  const id = new URL(url).searchParams.get('data.id')
  const requestId = headers.get('x-request-id')
  if ([id, requestId].some((value) => value !== null && !valuePattern.test(value))) return [undefined]
  const inBody = jsonField(body, 'data.id') ?? id
  if (id !== null && inBody?.toLowerCase() !== id.toLowerCase()) return [undefined]
  return [
    id === null ? '' : `id:${form(id)};`,
    requestId === null ? '' : `request-id:${requestId};`,
    `ts:${timestamp};`,
  ]
}
