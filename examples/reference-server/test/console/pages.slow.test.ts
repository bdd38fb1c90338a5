import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeNeeding } from '@sallyport/test-support/services'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../api.ts'
import { desktop, findSerious, launch, phone, requirement, visit } from './browser.ts'
import { seed, startBus, type Seeded } from './seed.ts'
import { startVendor, type TestVendor } from './vendor.ts'

/** `SCREENSHOTS=folder` writes a picture of each page; `docs/images/console` has those that the documents show. */
const folder = process.env['SCREENSHOTS']

/** The pages with one of the operations that they need. */
const pages: readonly (readonly [name: string, operation: string, path: (seeded: Seeded) => string])[] = [
  ['overview', 'getStatus', () => '/overview'],
  ['deliveries', 'listDeliveries', () => '/deliveries'],
  ['delivery', 'getDelivery', ({ published }) => `/deliveries/${published}`],
  ['quarantined', 'getDelivery', ({ quarantined }) => `/deliveries/${quarantined}`],
  ['processing', 'listLanes', () => '/processing'],
  ['quarantine', 'listDeliveries', () => '/quarantine'],
  ['events', 'listEvents', () => '/events'],
  ['destinations', 'listDestinations', () => '/destinations'],
  ['destination', 'listDestinations', () => '/destinations/billing'],
  ['failures', 'listFailures', () => '/failures'],
  ['unprocessed', 'listUnprocessedDeliveries', () => '/unprocessed'],
  ['ignored', 'getUnprocessedDelivery', ({ ignored }) => `/unprocessed/${ignored}`],
  ['reconciliations', 'listReconciliations', () => '/reconciliations'],
  ['jobs', 'listReplayJobs', () => '/jobs'],
  ['endpoints', 'listEndpoints', () => '/endpoints'],
  ['endpoint', 'getEndpoint', ({ endpoint }) => `/endpoints/${endpoint}`],
  ['subscriptions', 'listSubscriptions', () => '/subscriptions'],
  ['users', 'listUsers', () => '/users'],
  ['account', 'getUser', () => '/account'],
  ['keys', 'listKeys', () => '/keys'],
  ['audit', 'listAudit', () => '/audit'],
  ['help', 'listProviders', () => '/help'],
  ['unknown', 'unknown', () => '/unknown'],
]

describeNeeding(requirement, (executablePath) => {
  let api: TestApi
  let browser: Browser
  let seeded: Seeded
  let operations: ReadonlySet<string>
  let vendor: TestVendor
  let bus: Awaited<ReturnType<typeof startBus>>
  beforeAll(async () => {
    ;[bus, vendor] = await Promise.all([startBus(), startVendor()])
    ;[api, browser] = await Promise.all([
      startApi({
        ...{ ...vendor.settings, KEEP_UNPROCESSED_HOURS: '24' },
        ...{ BUS_URL: bus.url, DESTINATION_ALLOW_PRIVATE: '1' },
      }),
      launch(executablePath),
      folder !== undefined && mkdir(folder, { recursive: true }),
    ])
    seeded = await seed(api, bus.destination)
    operations = await readOperations(api.base)
  })
  afterAll(async () => {
    await browser.close()
    await api[Symbol.asyncDispose]()
    await vendor[Symbol.asyncDispose]()
    bus.close()
  })

  describe.each([
    ['desktop', desktop, false],
    ['phone', phone, false],
    ['dark', desktop, true],
  ] as const)('%s', (device, viewport, isDark) => {
    it.each(pages)('shows %s without a serious problem of accessibility', async (name, operation, path) => {
      await using window = await visit(browser, api.base, { operator: api.admin, viewport, isDark })
      const { page } = window
      await window.open(path(seeded))
      const title = page.getByRole('heading', { name: 'No such page' })
      expect(await title.count()).toBe(operations.has(operation) ? 0 : 1)
      expect(await findSerious(page)).toEqual([])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(viewport.width)
      expect(window.complaints).toEqual([])
      if (folder !== undefined && operations.has(operation))
        await page.screenshot({ path: join(folder, `${name}-${device}.png`) })
    })
  })

  it('shows the login without a session', async () => {
    await using window = await visit(browser, api.base)
    await window.open('/deliveries')
    await window.page.getByLabel('Password').waitFor()
    expect(await findSerious(window.page)).toEqual([])
    expect(window.complaints).toEqual([])
    if (folder !== undefined) await window.page.screenshot({ path: join(folder, 'login.png') })
  })
})

/** The operations of the server. A page that needs another one is absent. */
async function readOperations(base: string): Promise<ReadonlySet<string>> {
  const response = await fetch(`${base}/api/openapi.json`)
  const { paths } = (await response.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  }
  return new Set(Object.values(paths).flatMap((item) => Object.values(item).map((one) => one.operationId)))
}
