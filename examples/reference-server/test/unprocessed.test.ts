import { expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { sendWorkflowRun, temporaryDirectory } from './server-process.ts'

const run = { type: 'workflow_run.completed', payload: { run: 1 } }
const credentials = { email: 'admin@example.com', password: 'a long password' }
const environment = {
  ...{ JWT_SECRET: 'x'.repeat(32), ADMIN_EMAIL: credentials.email, ADMIN_PASSWORD: credentials.password },
}

const list = async ({ call, admin: { token } }: TestApi) =>
  (await call('GET', '/unprocessed-deliveries', { token })).list

it('keeps refused and ignored deliveries for KEEP_UNPROCESSED_HOURS, which a corrected secret accepts', async () => {
  await using directory = await temporaryDirectory()
  const common = { ...environment, DATA_DIR: directory.path, KEEP_UNPROCESSED_HOURS: '1' }
  {
    await using wrong = await startApi({ ...common, WEBHOOK_SECRET_CODEHOST: 'a wrong secret' }, credentials)
    expect((await sendWorkflowRun(wrong.base, 'the right secret', run)).status).toBe(401)
    expect((await wrong.deliver({ action: 'created' }, 'star')).status).toBe('ignored')
  }
  const secret = 'the right secret'
  await using api = await startApi({ ...common, WEBHOOK_SECRET_CODEHOST: secret }, credentials)
  const { token } = api.admin
  const [ignored, refused] = await list(api)
  expect([ignored, refused]).toMatchObject([
    { outcome: 'ignored', kind: 'star.created', reason: null },
    { outcome: 'refused', kind: null, reason: 'mismatch' },
  ])
  const path = `/unprocessed-deliveries/${refused!.id}`
  const detail = await api.call('GET', path, { token })
  expect(detail.data).toMatchObject({
    headers: { 'x-github-event': 'workflow_run', 'x-hub-signature-256': '[redacted]' },
    body: { encoding: 'utf-8', data: JSON.stringify(run) },
  })
  const replayed = await api.call('POST', `${path}/replays`, { token })
  expect(replayed).toMatchObject({ status: 202, data: { delivery_id: refused!.id, outcome: 'accepted' } })
  expect((await list(api)).map(({ id }) => id)).toEqual([ignored!.id])
  expect((await api.call('GET', `/deliveries/${refused!.id}`, { token })).status).toBe(200)
  // A redelivery of the service is a duplicate.
  expect((await sendWorkflowRun(api.base, secret, run)).data.status).toBe('duplicate')
})

it('keeps nothing for KEEP_UNPROCESSED_HOURS=0', async () => {
  await using directory = await temporaryDirectory()
  const common = { ...environment, DATA_DIR: directory.path }
  {
    await using api = await startApi({ ...common, KEEP_UNPROCESSED_HOURS: '0' }, credentials)
    await sendWorkflowRun(api.base, 'a wrong secret', run)
    await api.deliver({ action: 'created' }, 'star')
    // A stop writes everything that is kept.
  }
  await using api = await startApi(common, credentials)
  expect(await list(api)).toEqual([])
})
