import type { BuildContent, SignedContent, SignedStamp } from '@sallyport/webhooks'
import { eitherTime } from './either-time.ts'

/** A time in seconds, or in milliseconds as in earlier examples of the service. */
export const timestamp: SignedStamp = eitherTime()

/** The id of the resource in the URL, as it is and in lower case, the id of the request and the time. */
export const contents: readonly BuildContent[] = [
  (signed) => manifest(signed, (id) => id),
  (signed) => manifest(signed, (id) => id.toLowerCase()),
]

function manifest(
  { url, headers, timestamp }: SignedContent,
  form: (id: string) => string,
): readonly string[] {
  const id = new URL(url).searchParams.get('data.id')
  return [
    id === null ? '' : `id:${form(id)};`,
    `request-id:${headers.get('x-request-id') ?? ''};`,
    `ts:${timestamp};`,
  ]
}
