import { signedTime, type BuildContent, type SignedContent, type SignedStamp } from '@sallyport/webhooks'

const seconds = signedTime()
const milliseconds = signedTime({ unit: 'ms' })

/** A time in seconds, or in milliseconds as in earlier examples of the service. */
export const timestamp: SignedStamp = {
  ...seconds,
  read(delivery, presented, now) {
    const text = seconds.read(delivery, presented, now)
    return typeof text === 'string' ? text : milliseconds.read(delivery, presented, now)
  },
}

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
