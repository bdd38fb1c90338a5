import { describeNeeding } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { startApi } from '../api.ts'
import { desktop, findSerious, launch, phone, requirement, visit } from './browser.ts'
import { startVendor } from './vendor.ts'

describeNeeding(requirement, (executablePath) => {
  it('renews a subscription, and runs a source of what was missed', async () => {
    await using vendor = await startVendor()
    await using api = await startApi(vendor.settings)
    await using browser = await launch(executablePath)
    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window

    await window.open('/subscriptions')
    const shop = page.getByRole('row', { name: /shop/ })
    await shop.getByText('active').waitFor()
    await page
      .getByRole('row', { name: /secret/ })
      .getByText('HTTP_401, 1 failed attempt')
      .waitFor()
    await shop.getByRole('button', { name: 'Renew now: shop' }).click()
    await shop.getByText('Requested').waitFor()

    await page.getByRole('link', { name: 'Reconciliation' }).click()
    const source = page.getByRole('row', { name: /web/ })
    await source.getByRole('button', { name: 'Run…: web' }).click()
    await page.getByLabel('Since').fill(new Date(Date.now() - 172_800_000).toISOString().slice(0, 16))
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await source.getByText('Dry run, 1 missed').waitFor()
    await source.getByText('Ids').click()
    await source.getByText('0b989ba4').waitFor()

    for (const viewport of [phone, desktop])
      for (const path of ['/subscriptions', '/reconciliations']) {
        await page.setViewportSize(viewport)
        await window.open(path)
        expect(await findSerious(page)).toEqual([])
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(viewport.width)
      }
    expect(window.complaints).toEqual([])
  })
})
