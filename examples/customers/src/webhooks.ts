import { createOperations } from '@sallyport/operations'
import { github } from '@sallyport/providers/github'
import { HandlerError, type WebhookEvent, type WithPayloads } from '@sallyport/webhooks'
import { createWebhooks } from '@sallyport/webhooks/node'
import { setTimeout } from 'node:timers/promises'
import { authorize } from './authorize.ts'
import { client, database } from './database.ts'

const { ENCRYPTION_KEYS: keys = '', ANALYSIS_MS: analysisMs = '60000' } = process.env
type Payloads = { push: { after: string }; 'star.created': object; 'workflow_run.completed': object }

export const webhooks = createWebhooks({
  database,
  providers: [github as WithPayloads<typeof github, Payloads>],
  endpoints: true,
  encryptionKeys: keys.split(','),
  lane: ({ source, subject }) => source.endpoint ?? subject,
  on: {
    'github/star.created': ({ source, id }) => process.stdout.write(`${source.endpoint}: ${id}\n`),
    'github/push': database.transactional(storePush, { client }),
    'github/workflow_run.completed': { handler: analyze, timeoutMs: 3_600_000, concurrency: 5 },
  },
  onHandlerError: (error, { id }) => process.stderr.write(`${id}: ${String(error)}\n`),
})

export const operations = createOperations(webhooks, {
  authorize: ({ header }) => authorize(header('authorization')),
})

/** Stores a push. After a replay, the row is the same. */
function storePush({ id, source, data }: WebhookEvent<Payloads['push']>) {
  return async (transaction: typeof client) => {
    const { endpoint = '' } = source
    const found = transaction.selectFrom('customers').selectAll().where('endpoint', '=', endpoint)
    if (!(await found.executeTakeFirst())?.has_paid) throw new HandlerError('The customer has not paid')
    const push = transaction.insertInto('pushes').values({ event: id, endpoint, head: data.after })
    await push.onConflict((conflict) => conflict.doNothing()).execute()
  }
}

/** Stands for a job of minutes. */
async function analyze({ id, source }: WebhookEvent, signal: AbortSignal) {
  await setTimeout(Number(analysisMs), undefined, { signal })
  console.log(`${source.endpoint}: ${id}`)
}
