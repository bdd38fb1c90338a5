/**
 * Sample deliveries of Front applications.
 *
 * @module
 */
import { recorded } from '../messaging/recorded.ts'
import { recordedSamples } from '../provider-samples.ts'

/** The names that an application uses for the events of a rule. */
const types: Readonly<Record<string, string>> = {
  'message.received': 'inbound_received',
  'message.sent': 'outbound_sent',
  'assignee.changed': 'assignee_changed',
}
const authorization = { id: 'cmp_55c8c149' }

const wrapped = (kind: string, payload: unknown) => ({ type: types[kind], authorization, payload })

export const { kinds, sample, samples } = recordedSamples(
  recorded.map(({ kind, headers, body, renew }) => ({
    kind,
    headers,
    body: wrapped(kind, body),
    renew: (freshness) => ({ body: wrapped(kind, renew(freshness).body) }),
  })),
)
