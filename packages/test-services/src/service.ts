/** Something that runs beside the tests, such as a database server. */
export interface Service<Connection> {
  /** Its name, as people write it. */
  readonly title: string
  /** How to give it to the tests. */
  readonly hint: string
  /** Resolves when it answers; rejects with the reason when it does not. */
  probe(): Promise<void>
  /** Makes what one suite has for itself, such as an empty database. */
  open(): Promise<Opened<Connection>>
}

/** What a suite was given, until it is closed. */
export interface Opened<Connection> {
  readonly connection: Connection
  /** Leaves nothing behind on the service. */
  close(): Promise<void>
}
