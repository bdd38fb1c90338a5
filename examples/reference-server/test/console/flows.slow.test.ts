import { openReceiver } from '@sallyport/test-support/hosts'
import { describeNeeding, describeWith, openProxy, unusedPort } from '@sallyport/test-support/services'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../api.ts'
import { findSerious, launch, requirement, visit } from './browser.ts'
import { deliver, providerSettings } from './seed.ts'

/** The tests of a suite share a database, and with it the first admin. */
const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the admin' }

describeNeeding(requirement, (executablePath) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(executablePath)
  })
  afterAll(() => browser.close())

  describe('on SQLite', () => {
    testFlows(() => ({}))
  })
  describeWith('postgres', (postgres) => {
    testFlows(() => ({ DATABASE_URL: postgres().url }))
  })

  function testFlows(database: () => Readonly<Record<string, string>>): void {
    const start = (settings = {}) => startApi({ ...providerSettings, ...admin, ...database(), ...settings })

    it('shows a quarantined delivery with its field, and that it stays quarantined', async () => {
      await using api = await start()
      await deliver(api.base, 'deploy', '{"type":"deployment.error","payload":{}}')
      await using window = await visit(browser, api.base, { operator: api.admin })
      const { page } = window
      await window.open('/overview')
      await page.getByRole('link', { name: /^Quarantined 1/ }).click()
      await page.getByText('deployment_id invalid_type').waitFor()
      await page.getByRole('button', { name: 'Normalize again' }).click()
      await page.getByText('Still quarantined.').waitFor()
      expect(window.complaints).toEqual([])
    })

    it('explains why the signature of a refused delivery is not valid', async () => {
      await using api = await start({ KEEP_UNPROCESSED_HOURS: '24' })
      await fetch(`${api.base}/webhooks/github`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-github-event': 'ping' },
        body: '{"zen":"Design for failure."}',
      })
      await using window = await visit(browser, api.base, { operator: api.admin })
      const { page } = window
      await expect
        .poll(async () => {
          await window.open('/unprocessed')
          return await page.getByRole('link', { name: 'github' }).count()
        })
        .toBeGreaterThan(0)
      await page.getByRole('link', { name: 'github' }).first().click()
      await page.getByRole('button', { name: 'Explain' }).click()
      await page.getByText('The request lacks the header x-hub-signature-256').waitFor()
      expect(window.complaints).toEqual([])
    })

    it('shows deliveries and events as they arrive', async () => {
      await using api = await start()
      await using window = await visit(browser, api.base, { operator: api.admin })
      const { page } = window
      for (const [path, id] of [
        ['/deliveries', 7],
        ['/events', 8],
      ] as const) {
        await window.open(path)
        await page.getByRole('button', { name: 'Go live' }).click()
        await page.getByRole('button', { name: 'Live', exact: true }).waitFor()
        await deliver(api.base, 'tasks', JSON.stringify({ type: 'task.created', payload: { id } }))
        await page.getByRole('link', { name: 'tasks/task.created' }).first().waitFor()
      }
      expect(window.complaints).toEqual([])
    })

    // Regression: a live list ended for good when the server was busy, and did not say so.
    it('continues a live list after an outage, and leads to the login once the session has ended', async () => {
      await using api = await start()
      const port = await unusedPort()
      const proxy = await openProxy(api.base, port)
      const base = proxy.url.replace(/\/$/, '')
      await using window = await visit(browser, base, { operator: api.admin })
      const { page } = window
      const live = page.getByRole('button', { name: 'Live', exact: true })
      await window.open('/deliveries?live=1')
      await live.waitFor()
      await proxy.close()
      const busy = createServer((_, response) => response.writeHead(503).end()).listen(port, '127.0.0.1')
      await page.waitForResponse((response) => response.status() === 503)
      await deliver(api.base, 'tasks', JSON.stringify({ type: 'task.created', payload: { id: 9 } }))
      busy.closeAllConnections()
      await new Promise((resolve) => busy.close(resolve))
      const second = await openProxy(api.base, port)
      await live.waitFor()
      await page.getByRole('link', { name: 'tasks/task.created' }).first().waitFor()
      await page.context().clearCookies()
      await second.close()
      const third = await openProxy(api.base, port)
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
      await third.close()
      expect(window.complaints).toEqual([])
    })

    it('creates an endpoint, sends a test delivery, rotates the secret and disables it', async () => {
      await using api = await start()
      await using window = await visit(browser, api.base, { operator: api.admin })
      const { page } = window
      await window.open('/endpoints')
      await page.getByRole('button', { name: 'Create endpoint' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Acme <b>Ltd</b>')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /Provider/ })
        .click()
      await page.getByRole('option', { name: 'GitHub', exact: true }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('it is not shown again').waitFor()
      await page.getByRole('link', { name: 'Documents of GitHub' }).waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('heading', { name: 'Acme <b>Ltd</b> active' }).waitFor()

      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText('The gateway answered 200').waitFor()
      await page.getByRole('link', { name: 'Show the delivery' }).click()
      await page.locator('.timeline').getByText('Published').waitFor()
      await page.goBack()

      await page.getByRole('button', { name: 'Rotate: add a secret' }).click()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Remove' }).last().click()
      await page.getByRole('alertdialog').getByText('signed with the older secret').waitFor()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await expect.poll(() => page.locator('.secret').count()).toBe(1)

      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Kinds').fill('push, ping')
      await page.getByLabel('Labels').fill('plan=free')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('.facts').getByText('push, ping').waitFor()
      await page.locator('.facts').getByText('free').waitFor()

      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('heading', { name: 'Acme <b>Ltd</b> disabled' }).waitFor()
      expect(window.complaints).toEqual([])
    })

    it('shows the verification token of Notion once', async () => {
      await using api = await start({ PROVIDERS: `${providerSettings.PROVIDERS},notion` })
      const { token } = api.admin
      const json = { provider: 'notion', name: 'Acme' }
      const { data } = await api.call('POST', '/endpoints', { token, json })
      await using window = await visit(browser, api.base, { operator: api.admin })
      const { page } = window
      await window.open(`/endpoints/${data['id']}`)
      await page.getByText('The endpoint accepts a handshake of the service').waitFor()
      const body = '{"verification_token":"secret_of_notion"}'
      await fetch(`${api.base}${data['url'] as string}`, { method: 'POST', body })
      await page.getByRole('button', { name: 'Show once' }).click()
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByRole('dialog').getByText('secret_of_notion').waitFor()
      await page.getByText('it is not shown again').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await expect.poll(() => page.getByRole('button', { name: 'Show once' }).count()).toBe(0)
      expect(await page.content()).not.toContain('secret_of_notion')
      expect(window.complaints).toEqual([])
    })

    it('leads from the row of a service to its deliveries, whose unfiltered replay needs the typed count', async () => {
      await using api = await start()
      for (const type of ['task.created', 'task.completed'])
        await deliver(api.base, 'tasks', JSON.stringify({ type, payload: { id: 6 } }))
      await using window = await visit(browser, api.base, { operator: api.admin })
      const { page } = window
      await window.open('/overview')
      // The whole row is the link, and the statistics arrive some seconds later.
      await page.getByRole('row', { name: /^tasks .*100%/ }).click()
      await page.getByText('These are all deliveries that match.').waitFor()
      await page.getByRole('combobox', { name: 'Kind' }).waitFor()
      await page.getByRole('button', { name: 'Remove the filter Provider' }).click()
      await page.getByRole('button', { name: 'Replay all that match' }).click()
      const dialog = page.getByRole('alertdialog')
      // The tests share a PostgreSQL database.
      const count = dialog.getByLabel(/^Type \d+ to replay every delivery$/)
      await count.waitFor()
      const [total = ''] = /\d+/.exec((await dialog.getByText(/^Type \d+/).textContent()) ?? '') ?? []
      expect(await dialog.getByRole('button', { name: 'Replay', exact: true }).isDisabled()).toBe(true)
      await count.fill(total)
      await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
      await page.getByText('The replay is done.').waitFor()
      expect(window.complaints).toEqual([])
    })

    it('groups dead events of several kinds by their error, and replays them', async () => {
      await using receiver = await openReceiver(400)
      await using api = await start({ BUS_URL: `cloudevents+${receiver.url}/in` })
      for (const type of ['task.created', 'task.completed'])
        await deliver(api.base, 'tasks', JSON.stringify({ type, payload: { id: 71 } }))
      await using window = await visit(browser, api.base, { operator: api.admin })
      const { page } = window
      await window.open('/failures')
      await page.getByRole('link', { name: 'dead 2' }).waitFor()
      await page.getByText('2 kinds').click()
      await page.getByRole('link', { name: 'tasks/task.completed' }).waitFor()
      expect(await findSerious(page)).toEqual([])
      receiver.answer(202)
      await page.getByRole('button', { name: 'Replay dead' }).click()
      await page.getByRole('alertdialog').getByText('2 deliveries', { exact: true }).waitFor()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Replay', exact: true }).click()
      await page.getByText('The replay is done.').waitFor()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await page.getByText('No event fails.').waitFor()
      expect(window.complaints).toEqual([])
    })

    describeWith('redis', (redis) => {
      it('shows the outage of a bus, and the publication after it', async () => {
        const port = await unusedPort()
        const bus = new URL(`${redis().url}/0?name=${redis().name}-${randomUUID()}`)
        bus.host = `127.0.0.1:${port}`
        await using api = await start({ BUS_URL: bus.href, BUS_TIMEOUT_MS: '500' })
        await deliver(api.base, 'tasks', '{"type":"task.created","payload":{"id":5}}')
        await using window = await visit(browser, api.base, { operator: api.admin })
        const { page } = window
        await window.open('/overview')
        await page.getByRole('link', { name: /^Pending 1/ }).click()
        await page.getByRole('link', { name: 'tasks/task.created' }).click()
        await page.getByText('Attempt failed').first().waitFor()
        await using proxy = await openProxy(redis().url, port)
        await page.getByRole('button', { name: 'Retry now' }).click()
        await page.locator('.timeline').getByText('Published').waitFor()
        expect(proxy.connections).toBeGreaterThan(0)
        expect(window.complaints).toEqual([])
      })
    })
  }
})
