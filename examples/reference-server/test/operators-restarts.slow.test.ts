import { setTimeout as sleep } from 'node:timers/promises'
import { samples } from '@sallyport/providers/codehost/samples'
import { openReceiver, type ReceivedRequest } from '@sallyport/test-support/hosts'
import { unusedPort } from '@sallyport/test-support/services'
import type { HttpAlert } from '@sallyport/webhooks/alerts'
import type { HttpNotification } from '@sallyport/webhooks/notifiers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

const secret = `whsec_${Buffer.from('the secret of the operators'.padEnd(32, '.')).toString('base64')}`

/** A delivery of a run, each number another. */
const payload = samples.sample('workflow_run.completed').body as { readonly workflow_run: object }
const getRun = (id: number) => ({ ...payload, workflow_run: { ...payload.workflow_run, id } })

/** Verifies the signature of a request and returns its content. */
const verified = ({ body, headers }: ReceivedRequest, key = secret): unknown =>
  new Webhook(key).verify(body, headers as Record<string, string>)

describe("the operators' gateway", () => {
  it('receives one signed alert while the bus is unavailable and signatures are invalid', async () => {
    await using data = await temporaryDirectory()
    await using gateway = await openReceiver(204)
    const environment = {
      DATA_DIR: data.path,
      OPERATOR_URL: gateway.url,
      OPERATOR_SECRET: secret,
      BUS_URL: `nats://127.0.0.1:${await unusedPort()}`,
    }
    await using server = await startServerProcess(environment)
    for (let attempt = 0; attempt < 21; attempt++)
      await sendWorkflowRun(server.base, 'another secret', getRun(attempt))
    const alerts = () => gateway.requests.map((one) => verified(one) as HttpAlert)
    const names = ['bus_unavailable', 'verification_failures/codehost']
    await expect
      .poll(
        () =>
          alerts()
            .map(({ alert }) => alert.name)
            .sort(),
        { timeout: 90_000 },
      )
      .toEqual(names)

    // A restart repeats no message.
    await server.end('SIGKILL')
    await using again = await startServerProcess(environment)
    await expect.poll(() => again.output()).toContain('The bus at nats')
    await sleep(20_000)
    expect(alerts().map(({ alert }) => alert.status)).toEqual(['firing', 'firing'])
  }, 150_000)

  it('receives notifications after a restart that were not sent before a crash', async () => {
    await using data = await temporaryDirectory()
    const port = await unusedPort()
    const environment = {
      DATA_DIR: data.path,
      LOG_LEVEL: 'silent',
      OPERATOR_URL: `http://127.0.0.1:${port}/messages`,
    }
    const first = await startServerProcess(environment)
    const secrets = await getSecrets(data.path)
    const token = await adminToken(first.base, secrets)
    const key = secrets['WEBHOOK_SECRET_CODEHOST']!
    const ids: string[] = []
    for (const run of [1, 2, 3]) {
      ids.push(...(await sendWorkflowRun(first.base, key, getRun(run))).data.events.map(({ id }) => id))
    }
    await expect.poll(async () => (await publishedEvents(first.base, token)).length).toBe(3)
    await first.end('SIGKILL')

    await using gateway = await openReceiver(204, port)
    await using second = await startServerProcess(environment)
    expect(second.output()).toContain(`messages go to 127.0.0.1:${port}`)
    const told = () =>
      new Set(
        gateway.requests.map(
          (one) => (verified(one, secrets['OPERATOR_SECRET']) as HttpNotification).event.id,
        ),
      )
    await expect.poll(() => [...told()].sort()).toEqual(ids.sort())
  })
})
