import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkRoute } from '../check-route.ts'
import { createOpenApiDocument } from './index.ts'

// Regression: the second of two names that are equal without their punctuation replaced the first.
it('keeps parameters apart whose names differ in punctuation', () => {
  const query = z.object({ 'size[gte]': z.string().optional(), size_gte_: z.enum(['a']).optional() })
  const routes = ['/a', '/b'].map((path) =>
    checkRoute({
      ...{ method: 'GET', path, operationId: `list${path.slice(1)}`, access: 'public', query },
      responses: { 204: {} },
    }),
  )
  const { paths, components } = createOpenApiDocument({ routes, info: { title: 'An API', version: '1' } })
  const shown = Object.values(paths).flatMap(({ get }) => get?.parameters ?? [])
  const names = shown.map((one) =>
    'name' in one
      ? one.name
      : components?.parameters?.[one.$ref.slice('#/components/parameters/'.length)]?.name,
  )
  expect(names).toEqual(['size[gte]', 'size_gte_', 'size[gte]', 'size_gte_'])
})
