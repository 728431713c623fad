const topicForm = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w.-]+$/

/** The host of Amazon that sends the messages of a topic of SNS. Null for something that is not a topic. */
export function hostOfTopic(topicArn: string): string | null {
  const [, partition, region] = topicForm.exec(topicArn) ?? []
  return partition && region ? `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}` : null
}
