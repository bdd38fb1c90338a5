import { defineService, hmac, parseText, type ServiceFacts } from '@sallyport/webhooks'
import { metaHandshake } from '@sallyport/webhooks/handshakes'
import { createVerifyTokenHandshake, withVerifyTokens } from '../verify-tokens.ts'

/** YouTube: push notifications of channels by WebSub. */
export const youtube = defineService({
  name: 'youtube',
  signature: withVerifyTokens(
    hmac({ algorithm: 'sha1', encoding: 'hex', header: 'x-hub-signature', prefix: 'sha1=' }),
  ),
  parse: parseText,
  kind: (event) => (String(event).includes('<at:deleted-entry') ? 'video.deleted' : 'video.updated'),
  subject: (event) => readVideo(event),
  time: (event) => readTime(event),
  handshake: createVerifyTokenHandshake((verifyToken) => metaHandshake({ verifyToken })),
})

const readVideo = (event: unknown): string | undefined => /yt:video:([\w-]{1,64})/.exec(String(event))?.[1]

/** The time of the video: the first time of the feed is the time of the delivery. */
function readTime(event: unknown): string | undefined {
  const [feed = '', entry] = String(event).split('<entry>')
  const time =
    entry === undefined
      ? /<at:deleted-entry[^<>]*when="([\dT:.+Z-]{20,40})/.exec(feed)
      : /<updated>([\dT:.+Z-]{20,40})/.exec(entry)
  return time?.[1]
}

export const facts: ServiceFacts = {
  title: 'YouTube',
  docs: 'https://developers.google.com/youtube/v3/guides/push_notifications',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://developers.google.com/youtube/v3/guides/push_notifications'],
  setup: [
    'Subscribe a channel with the address, a secret and a verify token at `pubsubhubbub.appspot.com`: two random texts.',
    'The secrets are the secret and, as a second secret, `verify:` and the verify token.',
    'Subscribe again before the lease ends.',
  ],
  retries: 'unknown',
  traps: [
    'The payload is an Atom document as text.',
    'A new video and each change of it have the same kind.',
    'The feed has the time of its creation: a notification that the hub creates again is another event.',
  ],
}
