-- Pictures of people are blobs; users.image_hash is the SHA-256 of the content in
-- hexadecimal. Only demo companies have had pictures, which are not worth moving.

-- +goose Up
drop table user_images;
-- Clients read the directory again when its version has changed.
update companies set directory_version = directory_version + 1
where id in (select company_id from users where image_hash is not null);
update users set image_hash = null where image_hash is not null;
-- for removing blobs that nobody has
create index users_by_image on users (company_id, image_hash) where image_hash is not null;
