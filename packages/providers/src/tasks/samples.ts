/**
 * Sample deliveries of a task tracker, in the shapes that Todoist documents.
 *
 * @module
 */
import { recordedSamples, renamed, seconds, type Freshness } from '../provider-samples.ts'
import projectComment from './fixtures/comment.added.project.json' with { type: 'json' }
import commentAdded from './fixtures/comment.added.json' with { type: 'json' }
import taskCompleted from './fixtures/task.completed.json' with { type: 'json' }
import taskCreated from './fixtures/task.created.json' with { type: 'json' }

interface Fixture {
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly event_data: { readonly id: string } }
}

const recorded = (kind: string, fixture: Fixture) => ({
  kind,
  ...fixture,
  renew: ({ uuid, id, now }: Freshness) => ({
    headers: { ...fixture.headers, 'x-todoist-delivery-id': uuid },
    body: {
      ...renamed(fixture.body, fixture.body.event_data.id, `6X${id.toString(36)}`),
      triggered_at: seconds(now).replace('Z', '.000000Z'),
    },
  }),
})

export const { kinds, sample, samples } = recordedSamples([
  recorded('task.created', taskCreated),
  recorded('task.completed', taskCompleted),
  recorded('comment.added', commentAdded),
  recorded('comment.added', projectComment),
])
