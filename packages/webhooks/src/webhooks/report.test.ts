import { expect, it, vi } from 'vitest'
import { printError } from './report.ts'

it('prints what to do about a table that is missing, and no message of the driver', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const error = Object.assign(new Error('relation "a secret" does not exist'), { code: '42P01' })
  printError(error, 'inbox')
  expect(log).toHaveBeenCalledExactlyOnceWith(
    'sallyport: The inbox failed (a table is missing: open the database with migrate: true):',
    expect.objectContaining({ message: 'Error 42P01' }),
  )
  log.mockRestore()
})
