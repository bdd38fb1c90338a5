type Plain = string | number | bigint | boolean | symbol | null | undefined
type Method = (...parameters: never[]) => unknown
/** Is written as its `toJSON` says, such as a `Date`. */
interface Serialized {
  toJSON: Method
}

/** A value that is only read: its literals may be `as const`, its arrays readonly. */
export type Immutable<T> = unknown extends T
  ? T
  : T extends Plain | Method | Serialized
    ? T
    : T extends readonly unknown[]
      ? ImmutableArray<T>
      : { readonly [Name in keyof T]: Immutable<T[Name]> }

// A mapped type would be worked out at once, and never end for a type that is made of itself.
type ImmutableArray<T extends readonly unknown[]> = number extends T['length']
  ? readonly Immutable<T[number]>[]
  : { readonly [Index in keyof T]: Immutable<T[Index]> }

/**
 * What a value of type `Given` has to be in order to have no field, at any depth, that `Declared` does not have: each of
 * those is `never`. Of a union, the fields are those of the members that the value is one of.
 *
 * Looked up in a box, because what depends on a type parameter can be anything that the box may hold: a function that is
 * generic over routes or schemas compiles, unchecked, where a bare conditional type would refuse whatever it answers.
 */
export type Exact<Given, Declared, All = Given> = ExactBox<Given, Declared, All>['value']

interface Box<Value> {
  readonly value: Value
}

type ExactBox<Given, Declared, All> = unknown extends Given
  ? Box<Given>
  : unknown extends Declared
    ? Box<Given>
    : [OpenMember<Declared>] extends [never]
      ? Given extends Plain | Method | Serialized
        ? Box<Given>
        : Given extends readonly unknown[]
          ? Box<readonly Exact<Given[number], ItemOf<Declared>>[]>
          : Box<ExactFields<Given, MemberOf<Given, Exclude<Declared, Plain>>> & Without<Given, All>>
      : Box<Given>

/** The members that name no field and take any, such as `object`. */
type OpenMember<Declared> = Declared extends unknown
  ? [keyof Declared] extends [keyof typeof Object.prototype]
    ? object extends Declared
      ? Declared
      : never
    : never
  : never

type ExactFields<Given, Declared> = {
  readonly [Name in keyof Given]: ExactField<Name, Given[Name], Declared>
}

type ExactField<Name, Given, Declared> = (Name extends NameOf<Declared> | symbol
  ? Box<Exact<Given, ValueOf<Declared, Name>>>
  : unknown extends Given
    ? Box<never>
    : // JSON leaves these out.
      [Given] extends [Method | undefined]
      ? Box<Given>
      : Box<never>)['value']

/** One member of a union may have what another would not be allowed. */
type Without<Given, All> = {
  readonly [Name in Exclude<NameOf<Exclude<All, Plain | readonly unknown[]>>, keyof Given>]?: never
}

/** The members that a value can be told to be; of one that may be any of several, all. */
type MemberOf<Given, Declared> = [Matching<Given, Declared>] extends [never]
  ? Declared
  : Matching<Given, Declared>
type Matching<Given, Declared> = Declared extends unknown
  ? Given extends Declared
    ? Declared
    : never
  : never

type NameOf<Declared> = Declared extends unknown ? keyof Declared : never
type ValueOf<Declared, Name> = Declared extends unknown
  ? Name extends keyof Declared
    ? Declared[Name]
    : never
  : never
type ItemOf<Declared> = Declared extends readonly unknown[] ? Declared[number] : never
