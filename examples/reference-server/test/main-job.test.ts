import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { startInProcess } from './in-process.ts'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
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
const getKey = ({ workflow_run: { id, run_attempt } }: WorkflowRunPayload) =>
  `codehost:workflow_run.completed:${id}:${run_attempt}`

describe('the main job', () => {
  it('publishes a delivery of the code host once', async () => {
    await using data = await temporaryDirectory()
    await using server = await startInProcess({ DATA_DIR: data.path })
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

  it('creates data and secrets that only their owner can read', async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    await using server = await startInProcess({ DATA_DIR: data })
    expect(await (await fetch(`${server.base}/health`)).json()).toEqual({ status: 'ok' })
    expect((await stat(data)).mode & 0o777).toBe(0o700)
    for (const file of ['secrets.json', 'sallyport.db']) {
      expect((await stat(join(data, file))).mode & 0o777, file).toBe(0o600)
    }
    for (const secret of Object.values(await getSecrets(data))) expect(server.output()).not.toContain(secret)
  })
})
