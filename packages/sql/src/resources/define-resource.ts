import { belonging, identity, times } from '@sallyport/internal/resource-fields'
import { defineListQuery, type ListFilter, listFilter } from '@sallyport/rest'
import { z } from 'zod'
import { createPatchSchema } from './patch-schema.ts'

type Shape = z.core.$ZodLooseShape

type Nullable = Readonly<Record<string, z.ZodNullable>>
type Defaulted = Readonly<Record<string, z.ZodDefault>>
type Cleared<Fields extends Nullable> = { [Name in keyof Fields]: z.ZodDefault<Fields[Name]> }
type Unwrapped<Fields extends Defaulted> = {
  [Name in keyof Fields]: Fields[Name] extends z.ZodDefault<infer Field> ? Field : never
}

export interface ResourceFields<
  Parent extends string,
  Required extends Shape,
  Optional extends Nullable,
  Initial extends Defaulted,
> {
  /** The ids of the owner and of the parents, which never change, such as `author_id`. */
  readonly parents: readonly Parent[]
  /** The fields that POST and PUT need. */
  readonly required: Required
  /** Fields that POST and PUT set to null by default. @default none */
  readonly nullable?: Optional
  /** Fields whose default is that of POST; PUT keeps them by default. @default none */
  readonly initial?: Initial
  /** The fields that sort a list, in addition to the times. */
  readonly sortable: readonly string[]
  /** The field that `search` reads. */
  readonly searchable: string
  /** Filters in addition to `createdAfter`. @default none */
  readonly filterable?: Readonly<Record<string, ListFilter>>
}

/**
 * Defines a resource with `id`, `created_at` and `updated_at`: its schema, the bodies that create, replace and patch it, and the
 * query of its lists, whose newest items come first. PUT and PATCH accept read-only fields that do not change.
 *
 * @param name the name of the schema, such as `Post`
 *
 * @example
 * ```ts
 * import { listFilter } from '@sallyport/rest'
 * import { defineResource, textField, type StoredRow } from '@sallyport/sql/resources'
 * import { z } from 'zod'
 *
 * const statuses = ['draft', 'published'] as const
 * const note = defineResource('Note', {
 *   parents: ['owner_id'],
 *   required: { text: textField({ min: 1, max: 200, example: 'Buy milk' }) },
 *   initial: { status: z.enum(statuses).default('draft') },
 *   sortable: ['status'],
 *   searchable: 'text',
 *   filterable: { status: listFilter.oneOf(statuses) },
 * })
 * type NoteRow = StoredRow & z.output<typeof note.resource>
 * ```
 */
export function defineResource<
  const Parent extends string,
  Required extends Shape,
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the default has no keys
  Optional extends Nullable = {},
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the default has no keys
  Initial extends Defaulted = {},
>(name: string, fields: ResourceFields<Parent, Required, Optional, Initial>) {
  const { parents, required, sortable, searchable, filterable = {} } = fields
  const nullable = (fields.nullable ?? {}) as Optional
  const initial = (fields.initial ?? {}) as Initial
  const belongings = Object.fromEntries(parents.map((one) => [one, belonging])) as Record<
    Parent,
    typeof belonging
  >
  // The types of entries have no names.
  const unwrapped = mapFields(initial, (field) => field.unwrap()) as Unwrapped<Initial>
  const cleared = mapFields(nullable, (field) => field.default(null)) as Cleared<Optional>
  const ids = { ...identity, ...belongings }
  const resource = z.object({ ...ids, ...required, ...nullable, ...unwrapped, ...times }).meta({ id: name })
  const [fixedIds, fixedTimes] = [z.object(ids).partial().shape, z.object(times).partial().shape] as const
  const kept = z.object(unwrapped).partial().shape
  return {
    parents,
    resource,
    bodies: {
      create: z.strictObject({ ...required, ...cleared, ...initial }).meta({ id: `Create${name}` }),
      replace: z
        .strictObject({ ...fixedIds, ...required, ...cleared, ...kept, ...fixedTimes })
        .meta({ id: `Replace${name}` }),
      patch: createPatchSchema(
        z.strictObject({ ...fixedIds, ...required, ...nullable, ...unwrapped, ...fixedTimes }),
      ).meta({ id: `Patch${name}` }),
    },
    query: defineListQuery({
      sortable: ['created_at', 'updated_at', ...sortable],
      defaultSort: '-created_at',
      searchable,
      filterable: { ...filterable, createdAfter: listFilter.after('created_at') },
      fields: Object.keys(resource.shape),
    }),
  }
}

const mapFields = <Field>(fields: Readonly<Record<string, Field>>, change: (field: Field) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))
