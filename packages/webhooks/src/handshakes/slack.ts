import type { Handshake } from '../provider/provider.ts'
import { echo } from './echo.ts'
import { signedChallenge, getText } from './signed-challenge.ts'

/**
 * The `url_verification` of Slack's Events API: a signed POST whose `challenge` is echoed as text.
 *
 * @example
 * ```ts
 * import { slackHandshake } from '@sallyport/webhooks/handshakes'
 *
 * export const handshake = slackHandshake()
 * ```
 *
 * @see https://docs.slack.dev/reference/events/url_verification
 */
export function slackHandshake(): Handshake {
  return signedChallenge({
    mark: '"url_verification"',
    answer: (payload) =>
      getText(payload, 'type') === 'url_verification' ? echo(getText(payload, 'challenge')) : undefined,
  })
}
