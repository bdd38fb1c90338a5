import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describeNeeding } from '@sallyport/test-support/services'
import { openSqlite } from '@sallyport/sql/sqlite'
import type { DeliveryRecord } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi } from '../api.ts'
import { temporaryDirectory } from '../server-process.ts'
import { desktop, findSerious, launch, phone, requirement, visit } from './browser.ts'
import { providerSettings } from './seed.ts'

describeNeeding(requirement, (executablePath) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(executablePath)
  })
  afterAll(() => browser.close())

  /** Opens a server, an endpoint, and the database as a process of handlers has it. */
  async function open() {
    const data = await temporaryDirectory()
    const api = await startApi({ ...providerSettings, DATA_DIR: data.path })
    const database = await openSqlite({ path: join(data.path, 'sallyport.db') })
    const json = { provider: 'github', name: 'Acme Ltd', labels: { plan: 'free' } }
    const { data: endpoint } = await api.call('POST', '/endpoints', { token: api.admin.token, json })
    return {
      ...{ api, database, endpoint: endpoint.id },
      async [Symbol.asyncDispose]() {
        await database.close()
        await api[Symbol.asyncDispose]()
        await data[Symbol.asyncDispose]()
      },
    }
  }

  it('shows the lane of a customer that is stuck, and repairs it', async () => {
    await using opened = await open()
    const { api, database, endpoint } = opened
    const inbox = database.inbox()
    for (const id of ['1', '2', '3']) await inbox.record(createDelivery(endpoint, id))
    const [lane] = await inbox.claimLanes!({ limit: 1, events: 1, leaseMs: 60_000 })
    const { name, lease, works } = lane!
    const outcome = { status: 'retry', error: 'CrmUnavailable', afterMs: 3_600_000 } as const
    const settlements = works.map(({ event }) => ({ id: event.id, lease, outcome }))
    await inbox.settleLanes!([{ name, lease, releases: true, settlements }])

    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window
    await window.open('/overview')
    await page.getByRole('link', { name: /^Stuck lanes 1/ }).click()
    await page.getByRole('link', { name: 'Acme Ltd' }).waitFor()
    await page.getByText('CrmUnavailable').waitFor()
    await page.getByText('1 failed attempt').waitFor()
    expect(await findSerious(page)).toEqual([])
    await page.setViewportSize(phone)
    expect(await findSerious(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(phone.width)
    await page.setViewportSize(desktop)

    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('No lane is stuck.').waitFor()
    await page.getByRole('button', { name: 'Paused' }).click()
    await page.getByText('3 events').waitFor()
    await page.getByRole('button', { name: 'Skip event…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Skip' }).click()
    await page.getByText('2 events').waitFor()
    await page.getByRole('button', { name: 'Cancel events…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the events' }).click()
    await page.getByText('0 events').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('No lane is paused.').waitFor()

    await page.getByRole('textbox', { name: 'Lane' }).fill('another/../customer')
    await page.getByRole('textbox', { name: 'Lane' }).press('Enter')
    await page.getByRole('button', { name: 'Pause the lane' }).click()
    await page.getByText('another/../customer', { exact: true }).first().waitFor()
    expect(window.complaints).toEqual([])
  })

  it('shows the dead letters of a consumer, and retries and deletes them', async () => {
    await using opened = await open()
    const { api, database } = opened
    const handlers = () => Promise.reject(new RangeError('secret'))
    const consumer = database.consumer({ name: 'builds', handlers, attempts: 1 })
    await consumer.start()
    const events = ['a', 'b'].map((id) => createEvent(id, 0, { subject: id }))
    await database.bus().publish(events, new AbortController().signal)
    await expect.poll(() => database.consumers().countDeadLetters('builds')).toBe(2)
    await consumer.stop()
    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window
    await window.open('/processing')
    await page.getByRole('button', { name: 'Show dead letters' }).click()
    await page.getByText('RangeError').first().waitFor()
    expect(await findSerious(page)).toEqual([])
    await page.getByRole('button', { name: 'Retry', exact: true }).first().click()
    await page.getByText('retried', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).last().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Delete…' }).count()).toBe(1)
    expect(window.complaints).toEqual([])
  })

  it('cancels the events of an endpoint, and erases its deliveries', async () => {
    await using opened = await open()
    const { api, database, endpoint } = opened
    for (const id of ['1', '2']) await database.inbox().record(createDelivery(endpoint, id))
    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window
    await window.open(`/endpoints/${endpoint}`)
    await page.getByRole('button', { name: 'Cancel pending…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the events' }).click()
    await page.getByText('Cancelled events: 2.').waitFor()
    await page.getByRole('button', { name: 'Erase all…' }).click()
    await page.getByText('The endpoint is active').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click()
    await page.getByText('Erased deliveries: 2.').waitFor()
    expect(await findSerious(page)).toEqual([])
    expect(window.complaints).toEqual([])
  })
})

/** Creates a delivery with an event in the lane of its endpoint. */
function createDelivery(endpoint: string, key: string): DeliveryRecord {
  const id = randomUUID()
  const receivedAt = Date.now()
  const source = { provider: 'github', deliveryId: id, receivedAt, endpoint }
  const event = createEvent(`github:${key}`, receivedAt, { name: 'github/push', source })
  const lane = { name: endpoint, isOrdered: true }
  return {
    ...{ id, provider: 'github', endpoint, receivedAt, headers: {}, body: Buffer.from('{}') },
    events: [{ event, route: 'direct', notify: false, lane }],
  }
}
