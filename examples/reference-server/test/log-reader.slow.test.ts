import { expect, it } from 'vitest'
import { getSecrets, sendWorkflowRun, startServerProcess, temporaryDirectory } from './server-process.ts'

it('the log does not block deliveries without a reader, and is complete for a later reader', async () => {
  await using data = await temporaryDirectory()
  await using server = await startServerProcess({ DATA_DIR: data.path })
  const { WEBHOOK_SECRET_CODEHOST: secret = '' } = await getSecrets(data.path)
  server.child.stdout!.pause()
  // Each is a kilobyte of log and more; what a pipe and its two ends take is less than a quarter of it.
  const deliveries = 1000
  const statuses = new Set<number>()
  for (let id = 0; id < deliveries; id += 50) {
    const sent = Array.from({ length: 50 }, (_, index) =>
      sendWorkflowRun(server.base, secret, { type: 'workflow_run.completed', payload: { id: id + index } }),
    )
    for (const { status } of await Promise.all(sent)) statuses.add(status)
  }
  expect([...statuses]).toEqual([200])
  server.child.stdout!.resume()
  await expect.poll(() => server.output().split('"msg":"Delivery"').length - 1).toBe(deliveries)
})
