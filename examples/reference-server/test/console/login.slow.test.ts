import { describeNeeding } from '@sallyport/test-support/services'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type Credentials, type TestApi } from '../api.ts'
import { launch, requirement, visit } from './browser.ts'

describeNeeding(requirement, (executablePath) => {
  let api: TestApi
  let browser: Browser
  beforeAll(async () => {
    ;[api, browser] = await Promise.all([startApi(), launch(executablePath)])
  })
  afterAll(async () => {
    await browser.close()
    await api[Symbol.asyncDispose]()
  })

  async function logIn(page: Page, { email, password }: Credentials): Promise<void> {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  it('keeps an admin logged in until the logout', async () => {
    await using window = await visit(browser, api.base)
    const { page } = window
    await window.open('/deliveries')
    await logIn(page, { ...api.admin, password: 'not this one' })
    await page.getByText('E-mail address or password is wrong').waitFor()
    await logIn(page, api.admin)
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    await window.open('/events')
    await page.getByRole('heading', { name: 'Events' }).waitFor()

    const [cookie, ...others] = await page.context().cookies()
    expect(cookie).toMatchObject({ name: 'sallyport', httpOnly: true, sameSite: 'Strict' })
    expect(others).toEqual([])
    expect(await page.evaluate('document.cookie + JSON.stringify([localStorage, sessionStorage])')).toBe(
      '[{},{}]',
    )

    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('Password').waitFor()
    expect(await page.context().cookies()).toEqual([])
    await window.open('/deliveries')
    await page.getByLabel('Password').waitFor()
    expect(window.complaints).toEqual([])
  })

  it('returns to the login when the session ends elsewhere', async () => {
    await using window = await visit(browser, api.base, { operator: api.admin })
    const { page } = window
    await window.open('/overview')
    const { token } = api.admin
    const { list } = await api.call('GET', '/sessions?limit=1', { token })
    expect((await api.call('DELETE', `/sessions/${list[0]!.id}`, { token })).status).toBe(204)
    await window.open('/deliveries')
    await logIn(page, api.admin)
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    expect(window.complaints).toEqual([])
  })

  it('shows nothing but the logout to a user who is no operator', async () => {
    await using window = await visit(browser, api.base)
    await window.open('/deliveries')
    await logIn(window.page, await api.user())
    await window.page.getByText('This needs the role viewer or support or operator or admin').waitFor()
    expect(await window.page.getByRole('table').count()).toBe(0)
    await window.page.getByRole('button', { name: 'Log out' }).click()
    await logIn(window.page, api.admin)
    await window.page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    expect(window.complaints).toEqual([])
  })
})
