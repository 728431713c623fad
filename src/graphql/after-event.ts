/** The description of the argument `after` of subscriptions. */
export const afterEvent =
  'The id of an event of `events`: the subscription begins with the events after it, instead of those from now on. Events of the last seconds before it can come again.'
