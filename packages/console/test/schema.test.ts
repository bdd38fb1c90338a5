import { expect, it } from 'vitest'
import { createSchema } from '../scripts/schema.ts'

it('has the types of the current API; to change them, run `npm run generate -w packages/console`', async () => {
  await expect(await createSchema()).toMatchFileSnapshot('../src/app/api/schema.ts')
})
