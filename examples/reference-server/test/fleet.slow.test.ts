import { openReceiver } from '@sallyport/test-support/hosts'
import { expect, it } from 'vitest'
import { startInProcess } from './in-process.ts'
import { readiness } from './readiness.ts'
import { adminToken, getSecrets, sendWorkflowRun, temporaryDirectory } from './server-process.ts'

const run = { type: 'workflow_run.completed', payload: { run: 1 } }

interface Answer {
  readonly data: { readonly status: string; readonly dependencies: readonly object[] }
}

it('shows every process, and a bus that only the dispatcher sees failing', async () => {
  await using receiver = await openReceiver(503)
  await using data = await temporaryDirectory()
  const BUS_URL = `cloudevents+${receiver.url}`
  const start = (ROLE: string) => startInProcess({ DATA_DIR: data.path, METRICS_PORT: '0', BUS_URL, ROLE })
  await using api = await start('api,gateway')
  const secrets = await getSecrets(data.path)
  const token = await adminToken(api.base, secrets)
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await (await fetch(`${api.base}/api/v1${path}`, { headers })).json()) as Answer
  }
  const soon = { timeout: 30_000 }
  await expect
    .poll(() => read('/status'))
    .toMatchObject({
      data: {
        status: 'degraded',
        roles: [{}, { role: 'dispatcher', alive: 0 }, { role: 'gateway', alive: 1 }],
      },
    })
  expect(await readiness(api.base, token)).toMatchObject({
    status: 'ok',
    notices: expect.arrayContaining([
      expect.stringContaining('No process with the role dispatcher runs'),
    ]) as unknown,
  })

  await using dispatcher = await start('dispatcher')
  await sendWorkflowRun(api.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run)
  await expect
    .poll(() => read('/processes'), soon)
    .toMatchObject({
      data: [
        {
          roles: ['api', 'gateway'],
          status: 'alive',
          dependencies: [{ name: 'inbox' }, { name: 'bus', status: 'ok' }],
        },
        {
          roles: ['dispatcher'],
          dependencies: [{}, { name: 'bus', status: 'unavailable', code: 'The bus answered 503' }],
        },
      ],
    })
  await expect
    .poll(async () => (await read('/status')).data.dependencies, soon)
    .toMatchObject([
      { name: 'inbox', status: 'ok' },
      { name: 'bus', status: 'unavailable', detail: expect.stringContaining('Seen by') as string },
    ])
  const address = /"metrics":"([^"]+)"/.exec(dispatcher.output())?.[1] ?? ''
  const metrics = await (await fetch(address)).text()
  expect(metrics).toContain('sallyport_bus_up{bus="bus"} 0')
  expect(metrics).toContain('sallyport_processes{role="gateway",state="alive"} 1')

  await dispatcher.stop()
  await expect.poll(() => read('/processes')).toMatchObject({ data: [{ roles: ['api', 'gateway'] }] })
}, 60_000)
