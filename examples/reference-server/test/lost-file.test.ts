import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startInProcess } from './in-process.ts'
import { adminToken, getSecrets, sendWorkflowRun, temporaryDirectory } from './server-process.ts'

const payload = { type: 'workflow_run.completed', payload: {} }

// Regression: the server answered 200 and lost these deliveries at the next start.
it('answers 503, writes a log line and explains it at /ready while its database file is lost', async () => {
  await using data = await temporaryDirectory()
  const path = join(data.path, 'sallyport.db')
  await using server = await startInProcess({ DATA_DIR: data.path })
  const secrets = await getSecrets(data.path)
  const token = await adminToken(server.base, secrets)
  const send = async () =>
    (await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, payload)).status
  const ready = async () => {
    const response = await fetch(`${server.base}/ready`, { headers: { authorization: `Bearer ${token}` } })
    return [response.status, await response.text()]
  }

  await rename(path, `${path}.old`)
  await expect.poll(() => server.output(), { timeout: 2000 }).toContain('The database file is lost')
  expect(await send()).toBe(503)
  expect(await ready()).toEqual([503, expect.stringContaining(`The database ${path} or its write-ahead log`)])

  await rename(`${path}.old`, path)
  expect(await send()).toBe(200)
  expect(await ready()).toEqual([200, expect.not.stringContaining('was deleted')])

  await rm(path)
  expect(await send()).toBe(503)
})
