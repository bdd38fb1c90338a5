import { expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { Json, JsonEvents } from '../index.ts'

interface Tree {
  readonly at: Date
  readonly children: readonly Tree[]
}

it('gives the type of a value after JSON', () => {
  expectTypeOf<Json<{ at: Date; by?: URL; note: string | null }>>().toEqualTypeOf<{
    at: string
    by?: string
    note: string | null
  }>()
  expectTypeOf<Json<{ readonly tags: Set<string>; names: Map<string, number> }>>().toEqualTypeOf<{
    readonly tags: Record<string, never>
    names: Record<string, never>
  }>()
  expectTypeOf<Json<[Date, () => void]>>().toEqualTypeOf<[string, null]>()
  expectTypeOf<Json<readonly (Date | undefined)[]>>().toEqualTypeOf<readonly (string | null)[]>()
  expectTypeOf<Json<Record<string, Date | 1>>>().toEqualTypeOf<Record<string, string | 1>>()
  expectTypeOf<Json<Tree>['children'][number]['children'][number]['at']>().toEqualTypeOf<string>()
  expectTypeOf<Json<bigint>>().toEqualTypeOf<never>()
  expectTypeOf<Json<undefined>>().toEqualTypeOf<undefined>()
})

it('omits functions and symbols', () => {
  class Door {
    declare readonly name: string
    open(): number {
      return this.name.length
    }
    get [Symbol.toStringTag](): string {
      return 'Door'
    }
  }
  expectTypeOf<Json<Door>>().toEqualTypeOf<{ readonly name: string }>()
  expectTypeOf<Json<() => void>>().toEqualTypeOf<undefined>()
})

it('does not change the type of a value that JSON preserves', () => {
  type Same = { a: string; b?: [1, true]; c: unknown } | { d: readonly null[] }
  expectTypeOf<Json<Same>>().toEqualTypeOf<Same>()
  expectTypeOf<z.core.util.JSONType>().toExtend<Json<z.core.util.JSONType>>()
  type Branded = string & { readonly brand: 'id' }
  expectTypeOf<Json<{ id: Branded }>>().toEqualTypeOf<{ id: Branded }>()
})

it('names the properties that JSON changes in the error of a schema', () => {
  type Errors = JsonEvents<{
    list: z.ZodType<{ items: { at?: Date; id: string }[] }>
    record: z.ZodType<Record<string, { tags: Set<string> }>>
    several: z.ZodType<{ a: bigint; b: Date }>
    whole: z.ZodType<string | Date>
    tree: z.ZodType<Tree>
    fine: z.ZodType<{ id: string }>
  }>
  type Changes<Path extends string> =
    `JSON changes data${Path}: declare texts for dates, arrays for sets, and objects for maps`
  expectTypeOf<Errors['list']>().toEqualTypeOf<Changes<'.items[].at'>>()
  expectTypeOf<Errors['record']>().toEqualTypeOf<Changes<'[string].tags'>>()
  expectTypeOf<Errors['several']>().toEqualTypeOf<Changes<'.a' | '.b'>>()
  expectTypeOf<Errors['whole']>().toEqualTypeOf<Changes<''>>()
  expectTypeOf<Changes<'.at' | '.children[].at'>>().toExtend<Errors['tree']>()
  expectTypeOf<Errors['fine']>().toEqualTypeOf<unknown>()
})
