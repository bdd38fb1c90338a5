import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

interface WorkflowRunPayload {
  readonly action: string
  readonly workflow_run: { readonly id: number; readonly run_attempt: number }
}

// The package's types describe a module without a default export, which is what JSON gives.
const recorded = (examples as unknown as { name: string; examples: WorkflowRunPayload[] }[])
  .find(({ name }) => name === 'workflow_run')!
  .examples.filter(({ action }) => action === 'completed')
const [payload] = recorded as [WorkflowRunPayload]
// Some of the recorded deliveries are of one and the same run.
const distinct = [...new Map(recorded.map((one) => [one.workflow_run.id, one])).values()]
const another = (id: number): WorkflowRunPayload => ({
  ...payload,
  workflow_run: { ...payload.workflow_run, id },
})
const getKey = ({ workflow_run: { id, run_attempt } }: WorkflowRunPayload) =>
  `codehost:workflow_run.completed:${id}:${run_attempt}`

describe('the main job', () => {
  it('publishes a delivery of the code host once', async () => {
    await using data = await temporaryDirectory()
    await using server = await startServerProcess({ DATA_DIR: data.path })
    const secrets = await getSecrets(data.path)
    const secret = secrets['WEBHOOK_SECRET_CODEHOST']!

    for (const one of distinct) {
      const first = await sendWorkflowRun(server.base, secret, one)
      expect(first).toMatchObject({ status: 200, data: { status: 'accepted' } })
      const second = await sendWorkflowRun(server.base, secret, one)
      expect(second).toMatchObject({ status: 200, data: { status: 'duplicate' } })
    }

    const token = await adminToken(server.base, secrets)
    await expect
      .poll(async () => (await publishedEvents(server.base, token)).map(({ id }) => id))
      .toEqual(distinct.map(getKey))
    const [event] = await publishedEvents(server.base, token)
    expect(event).toMatchObject({
      name: 'codehost/workflow_run.completed',
      provider: 'codehost',
      data: { run_id: String(payload.workflow_run.id) },
    })
  })

  it('publishes acknowledged deliveries after it is killed and restarted', async () => {
    await using data = await temporaryDirectory()
    const acknowledged: string[] = []
    for (let round = 0; round < 4; round++) {
      await using server = await startServerProcess({ DATA_DIR: data.path, LOG_LEVEL: 'silent' })
      const secret = (await getSecrets(data.path))['WEBHOOK_SECRET_CODEHOST']!
      const sending = Array.from({ length: 20 }, async (_, index) => {
        const one = another(1 + round * 100 + index)
        const { status } = await sendWorkflowRun(server.base, secret, one)
        if (status === 200) acknowledged.push(getKey(one))
        // The first acknowledgement kills the server while the others are still under way.
        if (index === round) server.child.kill('SIGKILL')
      })
      await Promise.allSettled(sending)
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(4)

    await using server = await startServerProcess({ DATA_DIR: data.path })
    const token = await adminToken(server.base, await getSecrets(data.path))
    // The lease of the killed process ends 15 seconds after the record; then the event is claimed again.
    await expect
      .poll(
        async () => {
          const published = (await publishedEvents(server.base, token)).map(({ id }) => id)
          expect(new Set(published).size).toBe(published.length)
          return acknowledged.filter((id) => !published.includes(id))
        },
        { interval: 500 },
      )
      .toEqual([])
  })

  it('finishes running deliveries during a stop', async () => {
    await using data = await temporaryDirectory()
    await using server = await startServerProcess({ DATA_DIR: data.path })
    const secrets = await getSecrets(data.path)
    const { createHmac } = await import('node:crypto')
    const { request } = await import('node:http')
    const body = Buffer.from(JSON.stringify(payload))
    const sending = request(`${server.base}/webhooks/codehost`, {
      method: 'POST',
      headers: {
        'content-length': body.length,
        'x-github-event': 'workflow_run',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secrets['WEBHOOK_SECRET_CODEHOST']!).update(body).digest('hex')}`,
      },
    })
    const answered = new Promise<number>((resolve, reject) => {
      sending.on('response', (response) => {
        response.resume()
        resolve(response.statusCode!)
      })
      sending.on('error', reject)
    })
    sending.write(body.subarray(0, 1000))
    await new Promise((resolve) => setTimeout(resolve, 200))
    const ended = server.end('SIGTERM')
    // npm passes on what the terminal has sent already.
    server.child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await expect(fetch(`${server.base}/health`)).rejects.toThrow()
    sending.end(body.subarray(1000))
    expect(await answered).toBe(200)
    expect(await ended).toBe(0)

    await using again = await startServerProcess({ DATA_DIR: data.path })
    const token = await adminToken(again.base, secrets)
    await expect
      .poll(async () => (await publishedEvents(again.base, token)).map(({ id }) => id))
      .toEqual([getKey(payload)])
  })

  it('creates data and secrets that only their owner can read', async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    await using server = await startServerProcess({ DATA_DIR: data })
    expect(await (await fetch(`${server.base}/health`)).json()).toEqual({ status: 'ok' })
    expect((await stat(data)).mode & 0o777).toBe(0o700)
    for (const file of ['secrets.json', 'sallyport.db']) {
      expect((await stat(join(data, file))).mode & 0o777, file).toBe(0o600)
    }
    for (const secret of Object.values(await getSecrets(data))) expect(server.output()).not.toContain(secret)
  })
})
