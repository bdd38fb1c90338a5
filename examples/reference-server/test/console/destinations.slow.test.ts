import { openReceiver } from '@sallyport/test-support/hosts'
import { describeNeeding } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { startApi } from '../api.ts'
import { desktop, findSerious, launch, phone, requirement, visit } from './browser.ts'
import { providerSettings } from './seed.ts'

const run = (number: number) => ({ type: 'workflow_run.completed', payload: { run: number } })

describeNeeding(requirement, (executablePath) => {
  it('creates a destination, pauses and resumes it, and replays a delivery to it', async () => {
    await using receiver = await openReceiver(503)
    await using api = await startApi({ ...providerSettings, DESTINATION_ALLOW_PRIVATE: '1' })
    await using browser = await launch(executablePath)
    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window
    const check = async () => {
      expect(await findSerious(page)).toEqual([])
      await page.setViewportSize(phone)
      expect(await findSerious(page)).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(phone.width)
      await page.setViewportSize(desktop)
    }

    await window.open('/destinations')
    await page.getByText('There is no destination.').waitFor()
    await page.getByRole('button', { name: 'Create destination' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('billing')
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
    await page.getByText('Headers, retries, timeouts').click()
    const further = page.getByLabel('Further members')
    await further.fill('{ "headers": { "x-tenant": "acme" }, "retry": "never" }')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('retry: Must be a list of seconds').waitFor()
    await further.fill('{ "headers": { "x-tenant": "acme" }, "timeout_seconds": 5 }')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'billing running' }).waitFor()

    await api.deliver(run(1))
    await page.getByText('The destination answered 503').waitFor()
    await check()
    expect(receiver.requests.at(-1)?.headers['x-tenant']).toBe('acme')
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await further.inputValue()).toContain('"x-tenant": "[redacted]"')
    await further.fill('{ "headers": { "x-tenant": "[redacted]" } }')
    await page.getByRole('button', { name: 'Save' }).click()
    await further.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Pause…' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Maintenance until 14:00')
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('Maintenance until 14:00').waitFor()
    await window.open('/overview')
    await page.getByRole('link', { name: 'billing' }).click()
    receiver.answer(204)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('heading', { name: 'billing running' }).waitFor()
    await page.getByText('published').waitFor()
    await page.getByRole('link', { name: '← Destinations' }).click()
    await page.getByRole('cell', { name: 'running' }).waitFor()
    await check()

    const before = receiver.requests.length
    await page.getByRole('link', { name: 'billing' }).click()
    await page.getByRole('link', { name: 'codehost/workflow_run.completed' }).click()
    await page.getByText('Accepted').waitFor()
    await check()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Replay to a destination…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Replayed: 1 event is due.').waitFor()
    await expect.poll(() => receiver.requests.length).toBe(before + 1)
    expect(window.complaints).toEqual([])
  })
})
