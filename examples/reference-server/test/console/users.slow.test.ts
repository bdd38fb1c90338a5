import { describeNeeding } from '@sallyport/test-support/services'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../api.ts'
import { launch, requirement, visit } from './browser.ts'
import { providerSettings, seed, startBus, type Seeded } from './seed.ts'

const password = 'an analytical engine'

describeNeeding(requirement, (executablePath) => {
  let api: TestApi
  let browser: Browser
  let seeded: Seeded
  let bus: Awaited<ReturnType<typeof startBus>>
  beforeAll(async () => {
    bus = await startBus()
    ;[api, browser] = await Promise.all([
      startApi({
        ...{ ...providerSettings, KEEP_UNPROCESSED_HOURS: '24' },
        ...{ BUS_URL: bus.url, DESTINATION_ALLOW_PRIVATE: '1' },
      }),
      launch(executablePath),
    ])
    seeded = await seed(api, bus.destination)
  })
  afterAll(async () => {
    await browser.close()
    await api[Symbol.asyncDispose]()
    bus.close()
  })

  /** A user with a role, who has not logged in. */
  async function createOperator(role: string) {
    const user = await api.user(role)
    await api.call('PATCH', `/users/${user.id}`, { token: api.admin.token, json: { role } })
    return user
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('invites a user, who joins with the role and is found in the list', async () => {
    await using admin = await visit(browser, api.base, { operator: api.admin })
    await admin.open('/users')
    await button(admin.page, 'Invite').click()
    await admin.page.getByLabel('Role').last().click()
    await admin.page.getByRole('option', { name: 'Support' }).click()
    await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Invite' }).click()
    const link = await admin.page.locator('.copy-value code').innerText()
    expect(link).toContain(`${api.base}/console/join#inv_`)

    await using guest = await visit(browser, api.base)
    await guest.page.goto(link)
    await guest.page.getByLabel('Name').fill('Grace Hopper')
    await guest.page.getByLabel('E-mail').fill('grace@example.com')
    await guest.page.getByLabel('Password').fill(password)
    await button(guest.page, 'Join').click()
    await guest.page.getByRole('link', { name: 'grace@example.com' }).waitFor()

    await admin.open('/users')
    const row = admin.page.getByRole('row').filter({ hasText: 'grace@example.com' })
    await row.getByText('Support').waitFor()
    expect([...admin.complaints, ...guest.complaints]).toEqual([])
  })

  it.each([
    ['viewer', false, false],
    ['support', true, false],
    ['operator', true, true],
  ])('shows to a %s the pages and buttons of the role', async (role, mayReplay, mayErase) => {
    await using window = await visit(browser, api.base, { operator: await createOperator(role) })
    const { page } = window
    await window.open(`/deliveries/${seeded.published}`)
    await button(page, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Erase' }).count()).toBe(mayErase ? 1 : 0)
    await page.keyboard.press('Escape')
    expect(await button(page, 'Replay').count()).toBe(mayReplay ? 1 : 0)
    for (const name of ['Users', 'API keys', 'Audit log'])
      expect(await page.getByRole('link', { name }).count(), name).toBe(0)
    await window.open('/users')
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    await window.open('/endpoints')
    expect(await button(page, 'Create endpoint').count()).toBe(0)
    expect(window.complaints).toEqual([])
  })

  it('changes the role of a user and deletes the user', async () => {
    const user = await createOperator('viewer')
    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window
    await window.open('/users')
    await button(page, `Change: ${user.email}`).click()
    await page.getByRole('dialog').getByLabel('Role').click()
    await page.getByRole('option', { name: 'Operator' }).click()
    await button(page, 'Save').click()
    const row = page.getByRole('row').filter({ hasText: user.email })
    await row.getByText('Operator').waitFor()
    await button(page, `Delete: ${user.email}`).click()
    await button(page, 'Delete').click()
    await row.waitFor({ state: 'detached' })
    expect(window.complaints).toEqual([])
  })

  it('refuses to demote the last admin, and says why', async () => {
    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window
    await window.open('/users')
    await button(page, `Delete: ${api.admin.email}`).click()
    await button(page, 'Delete').click()
    await page.getByText('There is no other active admin').waitFor()
    expect(window.complaints).toEqual([])
  })

  it('changes the password with the current one, and logs out everywhere', async () => {
    const user = await createOperator('viewer')
    await using window = await visit(browser, api.base, { operator: user })
    const { page } = window
    const change = async (current: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password').fill(password)
      await button(page, 'Change the password').click()
    }
    await window.open('/overview')
    await page.getByRole('link', { name: user.email }).click()
    await change('not this one')
    await page.getByText('The current password is wrong').waitFor()
    await change(user.password)
    await page.getByLabel('E-mail').fill(user.email)
    await page.getByLabel('Password').fill(password)
    await button(page, 'Log in').click()
    const session = await api.logIn({ ...user, password })
    await button(page, 'Log out everywhere').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click()
    await button(page, 'Log in').waitFor()
    expect((await api.call('GET', '/users', session)).status).toBe(401)
    expect(window.complaints).toEqual([])
  })
})
