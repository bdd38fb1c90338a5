import { parseJson } from '../parsers/parse-json.ts'
import { providerUnavailable } from '../ports/refusals.ts'
import type { Handshake } from '../provider/provider.ts'
import { fetchDocument, isAllowedUrl } from '../schemes/fetch-document.ts'
import { jsonField } from '../schemes/body-fields.ts'
import { snsHosts } from '../schemes/sns.ts'
import { getText } from './signed-challenge.ts'
import { matchesPattern } from './match.ts'

export interface SnsHandshakeOptions {
  /** Confirms the subscription. @default the global fetch */
  readonly fetch?: typeof fetch
}

/**
 * The `SubscriptionConfirmation` of Amazon SNS: the handshake verifies the message and requests its `SubscribeURL` once.
 *
 * `sns()` verifies the signature and accepts only the configured topics. The URL must be at a host of Amazon SNS, and must
 * confirm a subscription of the same topic.
 *
 * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) from the handshake when Amazon does not answer: Amazon sends again
 *
 * @example
 * ```ts
 * import { snsHandshake } from '@sallyport/webhooks/sns'
 *
 * export const handshake = snsHandshake()
 * ```
 *
 * @see https://docs.aws.amazon.com/sns/latest/dg/SendMessageToHttp.prepare.html
 */
export function snsHandshake(options: SnsHandshakeOptions = {}): Handshake {
  return {
    methods: ['POST'],
    async answer(request) {
      const { body } = request
      if (!matchesPattern(request, { json: { Type: 'SubscriptionConfirmation' } })) return undefined
      if (!(await request.verify())) return undefined
      const payload = parseJson(body)
      const url = getText(payload, 'SubscribeURL') ?? ''
      if (!isConfirmation(url, jsonField(body, 'TopicArn'))) return undefined
      try {
        await fetchDocument(url, { hosts: snsHosts, ...(options.fetch && { fetch: options.fetch }) })
      } catch (cause) {
        throw providerUnavailable('Amazon SNS does not confirm the subscription: try again', cause)
      }
      return { contentType: 'text/plain', body: '' }
    },
  }
}

function isConfirmation(url: string, topic: string | undefined): boolean {
  if (!isAllowedUrl(url, snsHosts)) return false
  const { pathname, searchParams } = new URL(url)
  const isAction = pathname === '/' && searchParams.get('Action') === 'ConfirmSubscription'
  return isAction && topic !== undefined && searchParams.get('TopicArn') === topic
}
