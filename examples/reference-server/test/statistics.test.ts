import { describe, expect, it } from 'vitest'
import { documentedFetch } from './documented.ts'
import { startInProcess } from './in-process.ts'
import { adminToken, getSecrets, sendWorkflowRun, temporaryDirectory } from './server-process.ts'

const run = (number: number) => ({ type: 'workflow_run.completed', payload: { run: number } })

async function read(base: string, token: string, path: string): Promise<Record<string, unknown>> {
  const response = await documentedFetch(`${base}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { data: Record<string, unknown> }).data
}

describe('statistics', () => {
  it('count the requests of gateway processes, and lose none at a stop', async () => {
    await using data = await temporaryDirectory()
    const start = (ROLE: string) => startInProcess({ DATA_DIR: data.path, ROLE })
    await using api = await start('api,dispatcher')
    const secrets = await getSecrets(data.path)
    const token = await adminToken(api.base, secrets)
    for (let process = 0; process < 2; process++) {
      await using gateway = await start('gateway')
      await sendWorkflowRun(gateway.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(process))
      await sendWorkflowRun(gateway.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(process))
      await sendWorkflowRun(gateway.base, 'a wrong secret', run(process))
      await fetch(`${gateway.base}/webhooks/a-path-of-a-scanner`, { method: 'POST' })
      await gateway.stop()
    }
    const { totals, reasons } = await read(api.base, token, '/statistics')
    expect(totals).toEqual({ accepted: 2, duplicate: 2, ignored: 0, quarantined: 0, refused: 4 })
    expect(reasons).toHaveLength(2)
    expect(reasons).toEqual(
      expect.arrayContaining([
        { provider: 'codehost', outcome: 'refused', reason: 'INVALID_SIGNATURE', count: 2 },
        { provider: 'unknown', outcome: 'refused', reason: 'UNKNOWN_PROVIDER', count: 2 },
      ]),
    )
    expect(await read(api.base, token, '/status')).toMatchObject({
      status: 'ok',
      dependencies: expect.arrayContaining([{ name: 'inbox', status: 'ok', detail: null }]) as unknown,
      counts: { dead: 0, quarantined: 0 },
    })
  })
})
