// Worker threads import this file, so it imports nothing.

/** The size of the data of `events e` as JSON, in SQL. It is read without the data. */
export const dataBytes = `case when e.data_body is null then octet_length(e.data)
  else (select d.body_bytes from deliveries d where d.sequence = e.delivery) end`
