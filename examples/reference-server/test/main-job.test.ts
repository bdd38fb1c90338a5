import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { expect, it } from 'vitest'
import { startApi } from './api.ts'
import { startInProcess } from './in-process.ts'
import { getSecrets, temporaryDirectory } from './server-process.ts'

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

it('publishes a delivery of the code host once', async () => {
  await using api = await startApi()
  for (const one of distinct)
    for (const status of ['accepted', 'duplicate']) expect((await api.deliver(one)).status).toBe(status)
  await expect.poll(async () => (await api.events()).map(({ id }) => id)).toEqual(distinct.map(getKey))
  expect((await api.events())[0]).toMatchObject({
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
  for (const file of ['secrets.json', 'sallyport.db'])
    expect((await stat(join(data, file))).mode & 0o777, file).toBe(0o600)
  for (const secret of Object.values(await getSecrets(data))) expect(server.output()).not.toContain(secret)
})
