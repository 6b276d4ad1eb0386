export default {
  rules: {
    'excerpt-missing': 'warning',
    'review-date-missing': 'warning',
    'bare-url': 'error',
    'excerpt-too-long': 'warning',
    'tag-used-once': 'warning',
    'article-orphaned': 'warning',
    'heading-skipped': 'off',
  },
}
