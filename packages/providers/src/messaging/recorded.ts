import type { Freshness } from '../provider-samples.ts'
import assigned from './fixtures/assignee.changed.json' with { type: 'json' }
import assignedPreview from './fixtures/assignee.changed.preview.json' with { type: 'json' }
import unassigned from './fixtures/assignee.changed.unassign.json' with { type: 'json' }
import received from './fixtures/message.received.json' with { type: 'json' }
import receivedPreview from './fixtures/message.received.preview.json' with { type: 'json' }
import sent from './fixtures/message.sent.json' with { type: 'json' }
import sentReply from './fixtures/message.sent.reply.json' with { type: 'json' }

interface Fixture {
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

const record = (kind: string, fixture: Fixture) => ({
  kind,
  ...fixture,
  renew: ({ id, now }: Freshness) => ({
    body: { ...fixture.body, id: `evt_${id.toString(36)}`, emitted_at: now / 1000 },
  }),
})

/** The deliveries of a rule. */
export const recorded = [
  record('message.received', received),
  record('message.sent', sent),
  record('assignee.changed', assigned),
  record('message.received', receivedPreview),
  record('message.sent', sentReply),
  record('assignee.changed', unassigned),
  record('assignee.changed', assignedPreview),
]
