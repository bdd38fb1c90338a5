import type { Handshake } from '../provider/provider.ts'
import { echo } from './echo.ts'
import { matchesPattern } from './match.ts'
import { signedChallenge, getText } from './signed-challenge.ts'

const certificateCheck = { form: { ssl_check: '1' } }

const urlVerification = signedChallenge({
  mark: '"url_verification"',
  answer: (payload) =>
    getText(payload, 'type') === 'url_verification' ? echo(getText(payload, 'challenge')) : undefined,
})

/**
 * The `url_verification` of Slack's Events API, a signed POST whose `challenge` is echoed as text, and the certificate check of
 * slash commands, a form with `ssl_check=1` whose answer is an empty 200.
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
  return {
    ...urlVerification,
    answer: (request) =>
      matchesPattern(request, certificateCheck)
        ? { contentType: 'text/plain', body: '' }
        : urlVerification.answer(request),
  }
}
