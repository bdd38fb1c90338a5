import { join } from 'node:path'
import { codehost } from '@sallyport/providers/codehost'
import { openSqlite } from '@sallyport/sql/sqlite'
import { createSecretKeeper, createMemoryBus, staticSecrets } from '@sallyport/webhooks'
import { createEndpoints, createSecretCipher } from '@sallyport/webhooks/endpoints'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/server-process.ts'
import { readConfig } from '../config/config.ts'
import { createLog } from '../logging/log.ts'
import { openTelemetry } from '../telemetry/telemetry.ts'
import { openWebhooks } from './open-webhooks.ts'

const secret = 'the secret of the webhook'
const body = new TextEncoder().encode('{"type":"workflow_run.completed","payload":{}}')

it('notifies the operators at once of an event from the shared queue', async () => {
  const result = readConfig(
    {
      NODE_ENV: 'production',
      JWT_SECRET: 'x'.repeat(32),
      WEBHOOK_SECRET_CODEHOST: secret,
      QUEUE_PILOTS: 'codehost',
    },
    [codehost],
  )
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  const reported: unknown[] = []
  const log = createLog('debug', {
    write(line: string) {
      const { notification } = JSON.parse(line) as { notification?: unknown }
      if (notification !== undefined) reported.push(notification)
    },
  })
  await using data = await temporaryDirectory()
  const database = await openSqlite({ path: join(data.path, 'queue.db') })
  const webhooks = openWebhooks({
    config: result.config,
    storage: { inbox: database.inbox(), stores: database },
    engines: { bus: createMemoryBus(), queue: database.queue(), limiter: undefined },
    secrets: createSecretKeeper(staticSecrets({ codehost: [secret] })),
    endpoints: createEndpoints({
      store: database.endpoints(),
      cipher: createSecretCipher([new Uint8Array(32)]),
    }),
    destinations: { list: () => [], onChange: () => undefined },
    queueWatch: { notices: () => [] },
    telemetry: await openTelemetry(result.config, log),
    log,
    stopMs: 5000,
    // Regression: notifications waited for the next poll, which is after the end of the test.
    pollMs: 600_000,
  })
  webhooks.start()
  try {
    const signed = await codehost.signature.sign({ method: 'POST', headers: new Headers(), body }, secret, 0)
    const { status } = await webhooks.gateway.handle({
      method: 'POST',
      provider: 'codehost',
      headers: new Headers(signed),
      readBody: async (sink) => {
        sink.push(body)
      },
    })
    expect(status).toBe(200)
    await expect.poll(() => reported).toMatchObject([{ title: 'Test: codehost/workflow_run.completed' }])
  } finally {
    await webhooks.stop()
    await database.close()
  }
})
