// The types of mails: the outbox, the texts, and what managers want.
import '../modules/mails/graphql.ts'
import '../modules/mails/graphql-texts.ts'
import '../modules/mails/graphql-message.ts'
import '../modules/people/graphql-own-mails.ts'
