import { describe, expect, it } from 'vitest'
import { startInProcess, startProblems, type LocalServer } from './in-process.ts'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  temporaryDirectory,
} from './server-process.ts'

const run = { type: 'workflow_run.completed', payload: { run: 1 } }

describe('roles', () => {
  it('divide the work between processes on one database', async () => {
    await using data = await temporaryDirectory()
    const start = (ROLE: string) => startInProcess({ DATA_DIR: data.path, QUEUE_PILOTS: 'codehost', ROLE })
    await using gateway = await start('gateway')
    await using api = await start('api')
    const secrets = await getSecrets(data.path)
    const sent = await sendWorkflowRun(gateway.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run)
    expect([sent.status, sent.data.status]).toEqual([200, 'accepted'])

    const token = await adminToken(api.base, secrets)
    const getStatus = async () => {
      const answer = await fetch(`${api.base}/api/v1/deliveries`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { data: deliveries } = (await answer.json()) as { data: { status: string }[] }
      return deliveries.map(({ status }) => status)
    }
    expect(await getStatus()).toEqual(['pending'])
    await using dispatcher = await start('dispatcher')
    await expect.poll(getStatus).toEqual(['queued'])
    await using drainer = await start('drainer')
    await expect.poll(getStatus).toEqual(['published'])
    expect(await publishedEvents(api.base, token)).toMatchObject([
      { id: sent.data.events[0]!.id, route: 'queue' },
    ])

    const servedBy = (server: LocalServer) =>
      server
        .output()
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { msg: string; role?: string }]))
        .find(({ msg }) => msg.includes('listens on'))
    expect(servedBy(dispatcher)).toMatchObject({ role: 'dispatcher' })
    for (const served of ['webhooks', 'api']) expect(servedBy(dispatcher)).not.toHaveProperty(served)
    expect(servedBy(gateway)).toMatchObject({ role: 'gateway', webhooks: expect.anything() as string })

    for (const { base } of [gateway, dispatcher, drainer]) {
      expect((await fetch(`${base}/api/v1/users`)).status).toBe(404)
    }
    for (const { base } of [api, dispatcher, drainer]) {
      expect((await fetch(`${base}/webhooks/codehost`, { method: 'POST', body: '{}' })).status).toBe(404)
    }
    for (const process of [gateway, api, dispatcher, drainer]) {
      expect((await fetch(`${process.base}/ready`)).status).toBe(200)
      await process.stop()
    }
  })

  it('prevent the start if they are unknown', async () => {
    await using data = await temporaryDirectory()
    expect(await startProblems({ DATA_DIR: data.path, ROLE: 'gateway,drain' })).toEqual([
      'ROLE has to be all, or some of api, gateway, dispatcher, drainer, comma separated',
    ])
  })
})
