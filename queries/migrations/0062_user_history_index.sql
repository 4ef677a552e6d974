-- +goose Up

-- Records of the past belong to the department that a user was in on their date.
create index user_history_by_user on user_history (company_id, user_id, until);
